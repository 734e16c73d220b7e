/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage layer without an outside world: the port to S3 and the layers that its requests pass,
 * the deciders, and the protocols of reads, uploads, commits and checkpoints.
 */
package io.penstock.core;
