/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * Describes how a bucket is reached with some settings. Diagnostic tools use it to find wrong
 * settings.
 */
public interface Reach {
  /**
   * Returns the URL of a request about the whole bucket; the bucket's name is in the host or in the
   * path.
   */
  URI bucketUrl();

  boolean isPathStyle();

  /** Returns true if the settings name a proxy on the way to the store. */
  default boolean hasProxy() {
    return false;
  }

  /** Returns true if the store is known to be Amazon S3. */
  boolean isAws();

  /** Returns the region that the user has set, or else the region in the endpoint's name. */
  Optional<String> region();

  /** Returns the region of the first request; this is {@link #region()} when that is present. */
  String firstRegion();

  /**
   * Gets credentials from the source that the settings name. May make network requests, and blocks.
   *
   * @throws IOException when there are no credentials; the message names the sources that were
   *     tried and what to change
   */
  Identity identity() throws IOException;

  /**
   * Credentials, without their secrets.
   *
   * @param source the name of the source in the settings, or the provider in a chain that supplied
   *     them
   * @param expires empty for credentials that do not expire, and when the source does not tell
   */
  record Identity(String source, boolean isAnonymous, Optional<Instant> expires) {}
}
