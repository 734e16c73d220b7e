/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The outcome of a simulated run, and what several runs come to. */
package io.penstock.simulator.cluster.outcome;
