/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Sends requests out of the process: to which address, and how one is cut short. */
package io.penstock.s3.network;
