/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The rules R1 to R19: the facts each needs, its limits and its answer. */
package io.penstock.analyze.advice.rules;
