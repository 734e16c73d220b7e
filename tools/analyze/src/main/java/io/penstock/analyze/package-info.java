/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Reads logs, makes tables of them, and says what they mean: findings, advice, a report. */
package io.penstock.analyze;
