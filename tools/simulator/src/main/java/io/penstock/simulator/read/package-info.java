/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Simulates the reads of one process: into how many requests to split a range, with the production
 * decider, on connections and networks of any speed.
 */
package io.penstock.simulator.read;
