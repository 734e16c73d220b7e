/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/** The way to a bucket with some settings, for whoever looks for what is wrong with them. */
public interface Reach {
  /** The address of a request about the whole bucket: the bucket is in the host, or in the path. */
  URI bucketUrl();

  boolean isPathStyle();

  /** Returns true if the store is known to be Amazon S3. */
  boolean isAws();

  /** The region that the user has set, or that the endpoint's name has in it. */
  Optional<String> region();

  /** The region that is asked first; {@link #region()} when there is one. */
  String firstRegion();

  /**
   * Gets credentials from where the settings say; may ask the network, and blocks.
   *
   * @throws IOException when there are none, saying where was looked and what to change
   */
  Identity identity() throws IOException;

  /**
   * Credentials, without their secrets.
   *
   * @param source as the settings name it, or the link of a chain that answered
   * @param expires empty for what does not expire, and where the source does not tell
   */
  record Identity(String source, boolean isAnonymous, Optional<Instant> expires) {}
}
