/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import java.io.Closeable;
import java.io.IOException;

/** Returns the requests of a log one by one. Used by a single thread. */
public interface RequestReader extends Closeable {
  /**
   * Reads the next request.
   *
   * @param row is cleared first; if there is another request, it is filled and finished
   * @return false at the end, and on every later call
   * @throws IOException when the log cannot be read any further; damaged records are counted
   *     instead
   */
  boolean next(RequestRow row) throws IOException;
}
