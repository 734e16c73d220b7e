/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * An S3 endpoint in this process, and a proxy in front of another S3 server. Both simulate latency,
 * throttling and faults, which are called weather.
 */
package io.penstock.emulator;
