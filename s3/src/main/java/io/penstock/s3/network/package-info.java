/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Sends requests over the network: chooses their addresses and cuts attempts. */
package io.penstock.s3.network;
