/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Answers as odd stores, gateways and proxies give them. */
final class OddAnswers {
  static final String WEB_PAGE =
      "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to use this"
          + " network.</body></html>\n";

  private OddAnswers() {}

  /** Returns an answer with status 200 to a request that the store has never seen. */
  static HttpResponse instead(Fault.Kind kind) {
    return switch (kind) {
      case WEB_PAGE -> answer("text/html; charset=utf-8", WEB_PAGE);
      case EMPTY_BODY -> answer("application/xml", "");
      case EMPTY_RESULT -> answer("application/xml", "<DeleteResult></DeleteResult>");
      case ERROR_INSIDE ->
          answer(
              "application/xml",
              "<Error><Code>InternalError</Code><Message>We encountered an internal error. Please"
                  + " try again.</Message></Error>");
      default -> throw new IllegalArgumentException("not an answer by itself: " + kind);
    };
  }

  private static HttpResponse answer(String type, String body) {
    return HttpResponse.of(
        200,
        new Headers().add("Content-Type", type),
        Payload.of(body.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the store's answer as the client gets it. Refusals stay as they are. */
  static HttpResponse changed(Fault.Kind kind, HttpResponse response) throws IOException {
    if (response.status() >= 300) {
      return response;
    }
    Headers headers = response.headers();
    switch (kind) {
      case NO_ETAG -> headers.remove("ETag");
      case WEAK_ETAG ->
          headers
              .first("ETag")
              .filter(etag -> !etag.startsWith("W/"))
              .ifPresent(etag -> headers.set("ETag", "W/" + etag));
      case NO_LENGTH -> {
        headers.remove("Content-Length");
        return response.with(new Unmeasured(response.payload()));
      }
      case NO_TOKEN -> {
        return response.with(withoutToken(response.payload()));
      }
      default -> throw new IllegalArgumentException("changes no answer: " + kind);
    }
    return response;
  }

  /** A payload that does not tell its length, so it is sent in chunks. */
  private record Unmeasured(Payload inside) implements Payload {
    @Override
    public long lengthBytes() {
      return UNKNOWN;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      inside.writeTo(out);
    }

    @Override
    public void close() throws IOException {
      inside.close();
    }
  }

  private static Payload withoutToken(Payload listing) throws IOException {
    String xml =
        text(listing)
            .replaceAll("<Next(ContinuationToken|Marker|KeyMarker)>[^<]*</Next\\1>", "")
            .replace("<IsTruncated>false</IsTruncated>", "<IsTruncated>true</IsTruncated>");
    return Payload.of(xml.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads and closes a payload. */
  static String text(Payload payload) throws IOException {
    try (payload) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      payload.writeTo(bytes);
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }
}
