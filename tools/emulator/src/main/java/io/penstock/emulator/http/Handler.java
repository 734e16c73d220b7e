/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.IOException;

/** Answers requests, many at a time. */
@FunctionalInterface
public interface Handler {
  /**
   * Answers one request.
   *
   * @throws BadRequest when the body turns out malformed: the client gets a 400
   * @throws IOException when the client's connection broke: nothing is answered
   */
  HttpResponse handle(HttpRequest request) throws IOException;
}
