/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The rules about slow attempts, timeouts and retries. */
package io.penstock.analyze.advice.rules.timeout;
