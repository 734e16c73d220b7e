/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Tables, and how they are printed: what several tools say their results with. */
package io.penstock.tables;
