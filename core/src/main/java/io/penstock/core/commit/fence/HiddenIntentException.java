/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import java.io.IOException;

/** Tells that the job's own intent is in place, undecided, and not listed. */
public final class HiddenIntentException extends IOException {
  private static final long serialVersionUID = 1L;

  HiddenIntentException(String message) {
    super(message);
  }
}
