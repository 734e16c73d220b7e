/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.io.IOException;

/** A file is no longer the one that was listed: somebody else is at work in the checkpoint. */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  public FileChangedException(String file) {
    super(file + " changed while it was looked at: a query may be running on the checkpoint");
  }
}
