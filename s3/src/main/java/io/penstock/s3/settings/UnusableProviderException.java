/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

/** Thrown when a provider of the user cannot be created. The message says why. */
public final class UnusableProviderException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  UnusableProviderException(String message, Throwable cause) {
    super(message, cause);
  }
}
