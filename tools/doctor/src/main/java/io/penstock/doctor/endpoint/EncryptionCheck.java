/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.doctor.CheckOutcome;
import java.net.URI;

/** Checks if the connection is encrypted, so that others on the network cannot read the data. */
final class EncryptionCheck {
  private static final String NAME = "TLS";

  private EncryptionCheck() {}

  static CheckOutcome judge(URI url, Greeting greeting) {
    if (greeting.tls().isPresent()) {
      String version = greeting.tls().get();
      return version.equals("TLSv1.3") || version.equals("TLSv1.2")
          ? CheckOutcome.pass(NAME, version)
          : CheckOutcome.warn(NAME, version + " is broken", "Enable TLS 1.2 or 1.3 on the store.");
    }
    String host = url.getHost();
    if (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]")) {
      return CheckOutcome.pass(NAME, "none; requests do not leave this machine");
    }
    return CheckOutcome.warn(
        NAME,
        "none: anyone on the network path can read the data and repeat a signed request",
        "Use https:// for the endpoint, unless you want plain http in a network of your own.");
  }
}
