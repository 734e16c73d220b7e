/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** A simulated run: its executors, its store, and the events that move them. */
package io.penstock.simulator.cluster.run;
