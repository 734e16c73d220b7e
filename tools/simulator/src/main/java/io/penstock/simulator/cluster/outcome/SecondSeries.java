/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.outcome;

import java.util.List;

/**
 * The values of a cluster for each second. Each list has one value per second of the run.
 *
 * @param allowed requests per second that all executors together may send; negative when an
 *     executor has no limit
 * @param waiting requests that wait for a permit
 */
public record SecondSeries(
    List<Integer> sent,
    List<Integer> ok,
    List<Integer> throttled,
    List<Double> allowed,
    List<Integer> waiting) {
  public SecondSeries {
    sent = List.copyOf(sent);
    ok = List.copyOf(ok);
    throttled = List.copyOf(throttled);
    allowed = List.copyOf(allowed);
    waiting = List.copyOf(waiting);
  }
}
