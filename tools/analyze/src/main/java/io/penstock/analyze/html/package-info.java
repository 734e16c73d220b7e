/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Writes a report as one HTML page that needs no other files. */
package io.penstock.analyze.html;
