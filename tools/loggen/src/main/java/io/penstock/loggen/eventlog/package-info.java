/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Writes Spark's event log of the job. */
package io.penstock.loggen.eventlog;
