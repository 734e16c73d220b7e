/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.net.InetAddress;

/** The client behind a request, as far as its connection tells. */
public interface Caller {
  /** Returns which of our addresses it called. */
  InetAddress called();

  /**
   * Returns true if its connection has ended. Not every end is seen: over TLS, and behind a body
   * that is large and was not read yet, it counts as present.
   */
  boolean isGone();
}
