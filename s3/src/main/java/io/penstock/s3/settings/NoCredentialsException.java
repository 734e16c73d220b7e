/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

/**
 * Thrown inside the SDK when a source has no credentials. It is translated after it leaves the SDK.
 */
public final class NoCredentialsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String source;

  NoCredentialsException(String source, Throwable cause) {
    super("no credentials from " + source, cause);
    this.source = source;
  }

  public String source() {
    return source;
  }
}
