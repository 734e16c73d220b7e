/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import java.time.Instant;
import java.util.Optional;

/**
 * An access key that the endpoint accepts.
 *
 * @param sessionToken that requests must carry with this key; the token {@code expired} has always
 *     expired
 */
public record Credentials(
    String accessKey,
    String secretKey,
    Optional<String> sessionToken,
    Optional<Instant> expiresAt) {
  public static Credentials of(String accessKey, String secretKey) {
    return new Credentials(accessKey, secretKey, Optional.empty(), Optional.empty());
  }

  public static Credentials session(
      String accessKey, String secretKey, String sessionToken, Instant expiresAt) {
    return new Credentials(accessKey, secretKey, Optional.of(sessionToken), Optional.of(expiresAt));
  }

  @Override
  public String toString() {
    return "Credentials[" + accessKey + "]"; // never prints the secret
  }
}
