/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.IOException;

/** Reports that the peer sent malformed or unsupported HTTP. Carries the status of the response. */
public final class BadRequest extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  public BadRequest(String problem) {
    this(400, problem);
  }

  BadRequest(int status, String problem) {
    super(problem);
    this.status = status;
  }

  int status() {
    return status;
  }
}
