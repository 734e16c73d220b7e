/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Chance: the one place where it comes from outside. */
package io.penstock.core.chance;
