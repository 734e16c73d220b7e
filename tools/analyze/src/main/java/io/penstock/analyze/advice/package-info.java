/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The advice of rules: what to change about a job, and why. */
package io.penstock.analyze.advice;
