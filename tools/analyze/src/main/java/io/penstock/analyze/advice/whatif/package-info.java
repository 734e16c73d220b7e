/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Computes the effect of other timeouts, other file sizes or other prices on the same job. */
package io.penstock.analyze.advice.whatif;
