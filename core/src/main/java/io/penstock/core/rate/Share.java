/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.io.Serializable;

/**
 * What the driver allows one executor in one partition.
 *
 * @param prefix of the partition's keys; empty for the rest of the bucket
 * @param rate requests a second; only read when paced
 */
public record Share(String prefix, Mode mode, double rate) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How an executor behaves. */
  public enum Mode {
    /** No cap. */
    OPEN(Pacer.Repeat.BACK_OFF),
    /** At most {@code rate}. */
    PACED(Pacer.Repeat.SHORTLY),
    /** No cap, since others cause the throttling: going slower would help only them. */
    CONTESTED(Pacer.Repeat.BACK_OFF),
    /** As contested, by an application too small to matter to the others. */
    CONTESTED_BY_LARGER(Pacer.Repeat.SHORTLY);

    private final Pacer.Repeat repeat;

    Mode(Pacer.Repeat repeat) {
      this.repeat = repeat;
    }

    Pacer.Repeat repeat() {
      return repeat;
    }
  }
}
