/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Makes a store slow, busy or broken. Small deciders, which get time and randomness from outside,
 * say when. A station around any handler does what they say, counts the requests, and writes an
 * access log.
 */
package io.penstock.emulator.weather;
