/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.IOException;

/** Answers requests. Must be safe to call from many threads at once. */
@FunctionalInterface
public interface Handler {
  /**
   * Answers one request.
   *
   * @throws BadRequest when the body is malformed: the client gets a 400
   * @throws IOException when the connection to the client broke: no response is sent
   */
  HttpResponse handle(HttpRequest request) throws IOException;
}
