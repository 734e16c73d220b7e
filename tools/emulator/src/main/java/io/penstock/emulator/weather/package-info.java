/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Makes a store slow, busy or broken. Small deciders choose delays and faults. They receive time
 * and randomness from outside. A station wraps any handler, applies the decisions, counts the
 * requests, and writes an access log.
 */
package io.penstock.emulator.weather;
