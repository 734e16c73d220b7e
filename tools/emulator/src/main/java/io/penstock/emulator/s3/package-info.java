/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** An S3 endpoint in this process over any {@link io.penstock.core.store.ObjectStore}. */
package io.penstock.emulator.s3;
