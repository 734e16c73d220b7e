/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * The server that the suites run against instead of the embedded one, when the system property
 * {@code penstock.test.endpoint} names it.
 */
record RealStore(URI endpoint, String accessKey, String secretKey, String bucket) {
  static Optional<RealStore> named() {
    return Optional.ofNullable(System.getProperty("penstock.test.endpoint"))
        .map(
            endpoint ->
                new RealStore(
                    URI.create(endpoint),
                    System.getProperty("penstock.test.access.key", "penstock"),
                    System.getProperty("penstock.test.secret.key", "penstock-secret"),
                    System.getProperty("penstock.test.bucket", "penstock-test")));
  }

  /** What the server calls itself in its answers. */
  String product() throws IOException {
    HttpURLConnection connection = (HttpURLConnection) endpoint.toURL().openConnection();
    connection.getResponseCode();
    return Optional.ofNullable(connection.getHeaderField("Server")).orElse("unknown");
  }

  Map<String, String> settings() {
    return Map.of(
        "penstock.endpoint", endpoint.toString(),
        "penstock.access.key", accessKey,
        "penstock.secret.key", secretKey);
  }
}
