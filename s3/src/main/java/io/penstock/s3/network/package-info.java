/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** How requests leave the process: which address they go to, and how one is cut short. */
package io.penstock.s3.network;
