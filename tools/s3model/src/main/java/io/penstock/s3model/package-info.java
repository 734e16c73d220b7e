/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The operations of S3 and the distribution of its latency, shared by the emulator, the simulator
 * and the log generator.
 */
package io.penstock.s3model;
