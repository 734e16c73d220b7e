/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

/**
 * The results of one policy.
 *
 * @param extraPercent attempts beyond one for each request
 * @param medianTaskSeconds of tasks of 60 requests one after the other, in a stage of 1,600
 * @param slowestTaskSeconds in such a stage, as a mean over the stages
 * @param medianUploadSeconds of uploads of 512 parts, 8 in flight
 */
public record TailRow(
    String policy,
    double p50Millis,
    double p99Seconds,
    double p999Seconds,
    double p9999Seconds,
    double maxSeconds,
    long over5Seconds,
    long over10Seconds,
    double extraPercent,
    double medianTaskSeconds,
    double slowestTaskSeconds,
    double medianUploadSeconds,
    double p99UploadSeconds) {}
