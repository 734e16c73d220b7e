/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What makes a store slow, busy or broken, decided by small deciders without clock or chance of
 * their own, and applied around any handler; with counts and an access log of what happened.
 */
package io.penstock.emulator.weather;
