/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** A report as one page of HTML that needs nothing else. */
package io.penstock.analyze.html;
