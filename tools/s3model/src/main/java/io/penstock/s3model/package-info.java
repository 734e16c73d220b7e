/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * S3's operations and the law of its latency, which the emulator, the simulator and the log
 * generator share.
 */
package io.penstock.s3model;
