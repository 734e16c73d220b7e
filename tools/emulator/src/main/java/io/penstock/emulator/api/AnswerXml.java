/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes the XML of one response, with the declaration, namespace and escapes that S3 uses. */
public final class AnswerXml {
  private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final StringWriter text = new StringWriter();
  private final XMLStreamWriter out;

  /** Writes a piece of the document into memory, which does not fail. */
  private interface Writing {
    void write() throws XMLStreamException;
  }

  private AnswerXml(String root) {
    try {
      // Creates a factory for each document, because factories may not be shared between threads.
      out = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      out.writeStartDocument("UTF-8", "1.0");
      out.writeCharacters("\n");
      out.writeStartElement(root);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Begins a response in S3's namespace. */
  public static AnswerXml of(String root) {
    AnswerXml xml = new AnswerXml(root);
    return xml.write(() -> xml.out.writeDefaultNamespace(NAMESPACE));
  }

  /** Begins an error response, which has no namespace. */
  static AnswerXml ofError() {
    return new AnswerXml("Error");
  }

  private AnswerXml write(Writing piece) {
    try {
      piece.write();
      return this;
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  public AnswerXml open(String name) {
    return write(() -> out.writeStartElement(name));
  }

  /** Closes the innermost open element. */
  public AnswerXml close() {
    return write(out::writeEndElement);
  }

  public AnswerXml add(String name, Object value) {
    return open(name).text(value.toString()).close();
  }

  public AnswerXml etag(String etag) {
    return add("ETag", "\"" + etag + "\"");
  }

  public AnswerXml time(String name, Instant time) {
    return add(name, TIME.format(time));
  }

  /**
   * Adds text. Control characters become numeric references. XML 1.0 forbids most of these
   * references, but S3 sends them too. Clients avoid them with {@code encoding-type=url}.
   */
  public AnswerXml text(String value) {
    return write(
        () -> {
          int written = 0;
          for (int i = 0; i < value.length(); i++) {
            String reference = reference(value.charAt(i));
            if (!reference.isEmpty()) {
              out.writeCharacters(value.substring(written, i));
              out.writeEntityRef(reference);
              written = i + 1;
            }
          }
          out.writeCharacters(value.substring(written));
        });
  }

  /**
   * Returns the reference that S3 writes for a character that StAX writes unescaped. Returns the
   * empty string when both write the same.
   */
  private static String reference(char c) {
    if (c == '"') {
      return "quot";
    }
    boolean isPlain = c >= ' ' && c != 127 && c != '\ufffe' && c != '\uffff';
    return isPlain ? "" : "#x" + Integer.toHexString(c);
  }

  /** Ends the document and returns it as a successful response. */
  public HttpResponse response() {
    Headers headers = new Headers().add("Content-Type", "application/xml");
    return HttpResponse.of(200, headers, payload());
  }

  /** Ends the document and returns it as a response body. */
  Payload payload() {
    write(out::writeEndDocument);
    return Payload.of(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
