/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.report;

import io.penstock.core.request.Repeat;
import java.io.Serializable;

/**
 * The rate that the driver allows one executor in one partition.
 *
 * @param prefix of the partition's keys; empty for the rest of the bucket
 * @param rate requests a second; used only if the mode is paced or struck
 */
public record Share(String prefix, Mode mode, double rate) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The ways in which an executor limits its rate. */
  public enum Mode {
    /** No cap. */
    OPEN(Repeat.BACK_OFF),
    /** At most {@code rate}. */
    PACED(Repeat.SHORTLY),
    /**
     * No cap, because other applications cause the throttling: a lower rate would help only them.
     */
    CONTESTED(Repeat.BACK_OFF),
    /** Like {@link #CONTESTED}, for an application that is too small to matter to the others. */
    CONTESTED_BY_LARGER(Repeat.SHORTLY),
    /**
     * At most {@code rate}, which is not cut: the store rejects a share of all requests at any
     * rate.
     */
    STRUCK(Repeat.AT_ONCE);

    private final Repeat repeat;

    Mode(Repeat repeat) {
      this.repeat = repeat;
    }

    public Repeat repeat() {
      return repeat;
    }

    public boolean hasRate() {
      return this == PACED || this == STRUCK;
    }
  }
}
