/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Runs the SQL of the analyses. */
package io.penstock.analyze.engine;
