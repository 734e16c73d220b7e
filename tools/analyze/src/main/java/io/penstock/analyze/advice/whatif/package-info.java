/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Computes what would have been: other timeouts, other file sizes, other prices. */
package io.penstock.analyze.advice.whatif;
