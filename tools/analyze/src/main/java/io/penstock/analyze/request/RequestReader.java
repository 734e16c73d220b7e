/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import java.io.Closeable;
import java.io.IOException;

/** Yields the requests of a log one by one. Used by one thread. */
public interface RequestReader extends Closeable {
  /**
   * Reads the next request.
   *
   * @param row cleared, then filled and finished, when there is one more
   * @return false at the end, and from then on
   * @throws IOException when the log cannot be read any further; what is damaged inside it is
   *     counted instead
   */
  boolean next(RequestRow row) throws IOException;
}
