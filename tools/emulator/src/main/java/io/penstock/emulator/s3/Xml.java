/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.api.XmlText;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the XML of one answer. */
final class Xml {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final StringBuilder text =
      new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  private final String root;

  Xml(String root) {
    this.root = root;
    text.append('<').append(root).append(" xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
  }

  Xml open(String name) {
    text.append('<').append(name).append('>');
    return this;
  }

  Xml close(String name) {
    text.append("</").append(name).append('>');
    return this;
  }

  Xml add(String name, Object value) {
    text.append(XmlText.element(name, value));
    return this;
  }

  Xml text(String value) {
    text.append(XmlText.escape(value));
    return this;
  }

  Xml etag(String etag) {
    return add("ETag", "\"" + etag + "\"");
  }

  Xml time(String name, Instant time) {
    return add(name, TIME.format(time));
  }

  HttpResponse response() {
    return response(new Headers());
  }

  HttpResponse response(Headers headers) {
    close(root);
    headers.set("Content-Type", "application/xml");
    return HttpResponse.of(
        200, headers, Payload.of(text.toString().getBytes(StandardCharsets.UTF_8)));
  }
}
