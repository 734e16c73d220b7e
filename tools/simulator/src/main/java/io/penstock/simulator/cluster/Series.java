/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import java.util.List;

/**
 * A cluster second by second; the lists are as long as the run, in seconds.
 *
 * @param allowed requests a second of all executors together; negative where one has no cap
 * @param waiting requests that wait for a permit
 */
public record Series(
    List<Integer> sent,
    List<Integer> ok,
    List<Integer> throttled,
    List<Double> allowed,
    List<Integer> waiting) {
  public Series {
    sent = List.copyOf(sent);
    ok = List.copyOf(ok);
    throttled = List.copyOf(throttled);
    allowed = List.copyOf(allowed);
    waiting = List.copyOf(waiting);
  }
}
