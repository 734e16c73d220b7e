/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/** A kind of log that rules take their evidence from. */
public enum LogKind {
  /** The event log of a Spark application. */
  EVENT_LOG,
  /** An S3 server access log. */
  ACCESS_LOG,
  /** The log of a DNS server. */
  DNS_LOG
}
