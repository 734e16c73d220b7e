/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The rules about throttled requests and the load that causes them. */
package io.penstock.analyze.advice.rules.throttling;
