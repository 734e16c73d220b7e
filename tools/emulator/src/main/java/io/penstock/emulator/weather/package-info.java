/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Makes a store slow, busy or broken. Small deciders, without a clock or chance of their own, say
 * when; a station around any handler acts, counts, and writes an access log.
 */
package io.penstock.emulator.weather;
