/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

/**
 * One parsed line of a log.
 *
 * @param micros since 1970 UTC
 * @param thread the thread that wrote the line; empty when the layout has no thread
 * @param logger the last part of the logger's name
 */
record LogEvent(
    long micros, boolean hasMillis, String thread, String logger, String message, long position) {
  LogEvent by(String newThread, long newPosition) {
    return new LogEvent(micros, hasMillis, newThread, logger, message, newPosition);
  }
}
