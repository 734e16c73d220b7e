/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** A proxy that adds weather in front of any S3 server. */
package io.penstock.emulator.proxy;
