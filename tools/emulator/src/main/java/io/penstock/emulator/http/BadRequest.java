/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.IOException;

/**
 * The peer has sent something that is not HTTP as we accept it; carries the status of the refusal.
 */
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
