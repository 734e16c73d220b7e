/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The latency tail: what hedges and deadlines make of S3's law, with the deciders of production.
 */
package io.penstock.simulator.tail;
