/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * An S3 in this process, and a proxy before another one, both with the weather: latency, throttling
 * and faults.
 */
package io.penstock.emulator;
