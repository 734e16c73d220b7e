/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

/**
 * An answer, and how it reaches the client. Length, transfer coding and connection fields are the
 * server's; a {@code Content-Length} among the headers wins only for an answer to HEAD.
 */
public record HttpResponse(int status, Headers headers, Payload payload, Delivery delivery) {
  /** The fates of an answer on its way. */
  public enum Delivery {
    WHOLE,
    /** The head and half of the body, then an orderly end of the connection. */
    TRUNCATED,
    /** Nothing but a TCP reset. */
    RESET
  }

  public static HttpResponse of(int status, Headers headers, Payload payload) {
    return new HttpResponse(status, headers, payload, Delivery.WHOLE);
  }

  /** No answer but a TCP reset. */
  public static HttpResponse reset() {
    return new HttpResponse(0, new Headers(), Payload.empty(), Delivery.RESET);
  }

  public HttpResponse with(Payload other) {
    return new HttpResponse(status, headers, other, delivery);
  }

  public HttpResponse delivered(Delivery how) {
    return new HttpResponse(status, headers, payload, how);
  }
}
