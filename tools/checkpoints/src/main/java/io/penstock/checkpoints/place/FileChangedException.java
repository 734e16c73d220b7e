/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import java.io.IOException;

/**
 * Thrown when a file has changed since it was listed, because another process is writing to the
 * checkpoint.
 */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  public FileChangedException(String file) {
    super(file + " changed while it was being read: a query may be running on the checkpoint");
  }
}
