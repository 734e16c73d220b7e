/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import java.io.IOException;
import java.net.URI;

/** Sends requests to an endpoint without credentials. */
public interface Greeter {
  Greeting greet(URI url) throws IOException, InterruptedException;

  /** Returns true if the port answers a TLS handshake, with any certificate. */
  boolean speaksTls(String host, int port);
}
