/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

/**
 * The results of one policy.
 *
 * @param extraPercent attempts beyond the first of each request, in percent
 * @param medianTaskSeconds median duration of tasks of 60 consecutive requests, in a stage of 1,600
 *     tasks
 * @param slowestTaskSeconds slowest task of such a stage, as a mean over the stages
 * @param medianUploadSeconds median duration of uploads of 512 parts, 8 in flight
 */
public record TailRow(
    String policy,
    Spread spread,
    double p99Seconds,
    double p999Seconds,
    double p9999Seconds,
    double maxSeconds,
    double extraPercent,
    double medianTaskSeconds,
    double slowestTaskSeconds,
    double medianUploadSeconds,
    double p99UploadSeconds) {}
