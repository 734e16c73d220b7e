/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * The server that the suites run against instead of the embedded one, when the system property
 * {@code penstock.test.endpoint} names it; {@code penstock.test.server} says which product it is.
 */
record RealStore(URI endpoint, String region, String accessKey, String secretKey, String bucket) {
  static Optional<RealStore> named() {
    return Optional.ofNullable(System.getProperty("penstock.test.endpoint"))
        .map(
            endpoint ->
                new RealStore(
                    URI.create(endpoint),
                    System.getProperty("penstock.test.region", "us-east-1"),
                    System.getProperty("penstock.test.access.key", "penstock"),
                    System.getProperty("penstock.test.secret.key", "penstock-secret"),
                    System.getProperty("penstock.test.bucket", "penstock-test")));
  }

  Map<String, String> settings() {
    return Map.of(
        "penstock.endpoint", endpoint.toString(),
        "penstock.region", region,
        "penstock.access.key", accessKey,
        "penstock.secret.key", secretKey);
  }
}
