/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The facts that several rules look at, and the numbers that they compare them with. */
package io.penstock.analyze.advice.rules.facts;
