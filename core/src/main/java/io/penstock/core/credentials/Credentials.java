/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.credentials;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What requests are signed with.
 *
 * @param sessionToken present for temporary credentials
 * @param expires when the store refuses them, if that is known
 */
public record Credentials(
    String accessKey, String secretKey, Optional<String> sessionToken, Optional<Instant> expires) {
  public Credentials {
    Objects.requireNonNull(accessKey, "accessKey");
    Objects.requireNonNull(secretKey, "secretKey");
  }

  /** Shows neither the secret nor the token. */
  @Override
  public String toString() {
    return "credentials of " + accessKey + expires.map(at -> ", until " + at).orElse("");
  }
}
