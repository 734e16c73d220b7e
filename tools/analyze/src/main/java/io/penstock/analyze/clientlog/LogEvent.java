/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

/**
 * A line of a log.
 *
 * @param micros since 1970 UTC
 * @param thread that wrote it; empty where the layout does not say
 * @param logger the last part of its name
 */
record LogEvent(
    long micros, boolean hasMillis, String thread, String logger, String message, long position) {
  LogEvent by(String newThread, long newPosition) {
    return new LogEvent(micros, hasMillis, newThread, logger, message, newPosition);
  }
}
