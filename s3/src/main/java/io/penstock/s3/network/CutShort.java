/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.io.IOException;

/** Thrown when another thread has cut the attempt. The message gives the reason. */
public final class CutShort extends IOException {
  private static final long serialVersionUID = 1L;

  CutShort(String why, Throwable cause) {
    super(why, cause);
  }
}
