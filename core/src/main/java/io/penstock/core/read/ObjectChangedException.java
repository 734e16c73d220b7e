/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import java.io.IOException;

/**
 * Thrown when the object has been overwritten since its first bytes were read, or since it was
 * planned to read it.
 */
public final class ObjectChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  ObjectChangedException(String message, Throwable cause) {
    super(message, cause);
  }
}
