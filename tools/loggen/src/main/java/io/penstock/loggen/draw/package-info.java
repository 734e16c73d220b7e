/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Draws the requests of a plan, and counts what is written of them. */
package io.penstock.loggen.draw;
