/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Draws and the laws that they follow, each from the seed and a purpose. */
package io.penstock.loggen.chance;
