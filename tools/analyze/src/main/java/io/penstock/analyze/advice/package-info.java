/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Says what to change about a job, and why: the words that rules answer in. */
package io.penstock.analyze.advice;
