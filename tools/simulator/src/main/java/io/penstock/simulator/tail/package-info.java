/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Simulates the latency tail: the effect of hedges and deadlines on S3's latencies, with the
 * production deciders.
 */
package io.penstock.simulator.tail;
