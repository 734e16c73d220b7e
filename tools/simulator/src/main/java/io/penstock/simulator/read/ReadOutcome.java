/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.read;

/**
 * The result of one simulated job.
 *
 * @param seconds from the first request to the end of the last task
 * @param inFlightMost the most requests that were in flight at once
 */
public record ReadOutcome(double seconds, long requests, int inFlightMost) {}
