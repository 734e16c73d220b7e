/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The plan of a set of logs: its options, its counts, its job and the times of its requests. */
package io.penstock.loggen.plan;
