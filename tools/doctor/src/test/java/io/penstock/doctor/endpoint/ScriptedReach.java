/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.store.Reach;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** A way to a bucket that is what a test says. */
public record ScriptedReach(
    URI bucketUrl,
    boolean isPathStyle,
    boolean isAws,
    Optional<String> region,
    String firstRegion,
    Credentials credentials)
    implements Reach {
  /** What asking for credentials does. */
  public interface Credentials {
    Identity get() throws IOException;
  }

  public static ScriptedReach at(String url) {
    return new ScriptedReach(
        URI.create(url),
        false,
        false,
        Optional.empty(),
        "us-east-1",
        () -> new Identity("the test", false, Optional.empty()));
  }

  public ScriptedReach aws() {
    return new ScriptedReach(bucketUrl, isPathStyle, true, region, firstRegion, credentials);
  }

  public ScriptedReach pathStyle() {
    return new ScriptedReach(bucketUrl, true, isAws, region, firstRegion, credentials);
  }

  public ScriptedReach fixedTo(String name) {
    return new ScriptedReach(bucketUrl, isPathStyle, isAws, Optional.of(name), name, credentials);
  }

  public ScriptedReach by(Credentials other) {
    return new ScriptedReach(bucketUrl, isPathStyle, isAws, region, firstRegion, other);
  }

  @Override
  public Identity identity() throws IOException {
    return credentials.get();
  }
}
