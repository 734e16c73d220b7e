/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.io.Serializable;
import java.util.List;

/**
 * The rates that the driver allows one executor in a bucket and kind of traffic. Prefixes that are
 * not in it belong to the partition of the empty prefix.
 *
 * @param executors that share the partitions
 */
public record Lease(List<Share> shares, int executors) implements Serializable {
  private static final long serialVersionUID = 1L;

  public Lease {
    shares = List.copyOf(shares);
  }
}
