/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The rules R1 to R19. Each rule has its facts, its limits and its answer. */
package io.penstock.analyze.advice.rules;
