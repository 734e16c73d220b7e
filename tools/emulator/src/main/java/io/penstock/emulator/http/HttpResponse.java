/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

/**
 * A response, and the way in which it is delivered to the client. The server sets the length,
 * transfer coding and connection fields. It uses a {@code Content-Length} from these headers only
 * for a response to HEAD.
 */
public record HttpResponse(int status, Headers headers, Payload payload, Delivery delivery) {
  /** The ways in which a response is delivered. */
  public enum Delivery {
    WHOLE,
    /** Sends the head and half of the body, then closes the connection in an orderly way. */
    TRUNCATED,
    /** Sends only a TCP reset. */
    RESET
  }

  public static HttpResponse of(int status, Headers headers, Payload payload) {
    return new HttpResponse(status, headers, payload, Delivery.WHOLE);
  }

  /** Returns a response that is only a TCP reset. */
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
