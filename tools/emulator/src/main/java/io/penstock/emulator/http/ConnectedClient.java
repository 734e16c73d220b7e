/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.net.InetAddress;

/** The client that sent a request, as seen from its connection. */
public interface ConnectedClient {
  /** Returns the local address that the client connected to. */
  InetAddress called();

  /**
   * Returns true if the client is known to have closed its connection. The end of the connection is
   * not detected over TLS, nor behind a large body that has not been read yet. The client then
   * counts as connected.
   */
  boolean isGone();
}
