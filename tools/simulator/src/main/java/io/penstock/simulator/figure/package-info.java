/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Figures and pages of simulated runs, drawn by hand: SVG for browsers and documents, PNG for the
 * rest, and one HTML page that needs no network and no JavaScript.
 */
package io.penstock.simulator.figure;
