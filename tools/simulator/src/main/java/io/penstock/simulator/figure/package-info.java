/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Figures and pages of simulated runs, drawn by our own code. SVG is for browsers and documents,
 * PNG for other programs. The HTML page needs no network and no JavaScript.
 */
package io.penstock.simulator.figure;
