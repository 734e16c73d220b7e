/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.report;

import java.io.Serializable;
import java.util.List;

/**
 * The rates that the driver allows one executor in one bucket and for one kind of traffic. Keys
 * whose prefix is not in the lease belong to the partition of the empty prefix.
 *
 * @param executors number of executors that share the partitions
 * @param most requests a second that the executor may send to all partitions together; infinite
 *     without a limit
 */
public record Lease(List<Share> shares, int executors, double most) implements Serializable {
  private static final long serialVersionUID = 1L;

  public Lease {
    shares = List.copyOf(shares);
  }
}
