/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The rules about what a job reads, writes and waits for. */
package io.penstock.analyze.advice.rules.job;
