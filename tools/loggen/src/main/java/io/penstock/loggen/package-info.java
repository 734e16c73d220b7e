/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Logs of a job that never ran: S3 server access logs, their CloudTrail twin and the Spark event
 * log, with the counts of a published benchmark, and the truth about them.
 */
package io.penstock.loggen;
