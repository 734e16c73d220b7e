/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Requests by the work that they were made for, by path and by latency. */
package io.penstock.core.metrics.account;
