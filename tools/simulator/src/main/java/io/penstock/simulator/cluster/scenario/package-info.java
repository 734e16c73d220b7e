/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The scenarios of a simulation: their cluster, store, job and troubles, and the text that says
 * them.
 */
package io.penstock.simulator.cluster.scenario;
