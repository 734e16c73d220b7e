/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.credentials;

import java.io.IOException;

/**
 * A source of credentials that a user writes. The class is named by {@code
 * fs.s3a.aws.credentials.provider}, as classes of the AWS SDK are, and needs no SDK.
 *
 * <p>It is created once for each file system that is opened: by a public constructor that takes a
 * {@link java.net.URI} and a Hadoop {@code Configuration}, else one that takes a {@code
 * Configuration}, else a public static method {@code create} without parameters, else a public
 * constructor without parameters. The configuration has the settings of the bucket in their general
 * names. If the class is {@link AutoCloseable}, it is closed when nothing uses it any more.
 */
public interface CredentialProvider {
  /**
   * Returns credentials that are valid now. Called before each request, by many threads at once:
   * keep the credentials until shortly before they expire, and get new ones in time.
   *
   * @throws IOException when there are no credentials; requests fail with its message
   */
  Credentials credentials() throws IOException;
}
