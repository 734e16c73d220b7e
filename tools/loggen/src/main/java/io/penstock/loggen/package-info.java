/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Generates logs of a job that was never run: S3 server access logs, the same requests in
 * CloudTrail, and the Spark event log. The counts are those of a published benchmark. A truth file
 * lists the facts.
 */
package io.penstock.loggen;
