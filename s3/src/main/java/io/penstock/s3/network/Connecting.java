/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import org.apache.hc.client5.http.ConnectTimeoutException;

/**
 * Recognizes failures to connect. After such a failure, and no other, it is certain that nothing
 * was sent.
 */
final class Connecting {
  private Connecting() {}

  static boolean failed(IOException e) {
    return e instanceof ConnectException
        || e instanceof ConnectTimeoutException
        || e instanceof NoRouteToHostException;
  }
}
