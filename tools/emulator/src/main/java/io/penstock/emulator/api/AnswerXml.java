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

/** Writes the XML of one answer, with S3's declaration, namespace and escapes. */
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
      // A factory of its own, since factories may not be shared between threads.
      out = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      out.writeStartDocument("UTF-8", "1.0");
      out.writeCharacters("\n");
      out.writeStartElement(root);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Begins an answer of S3. */
  public static AnswerXml of(String root) {
    AnswerXml xml = new AnswerXml(root);
    return xml.write(() -> xml.out.writeDefaultNamespace(NAMESPACE));
  }

  /** Begins an error, which has no namespace. */
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

  /** Closes the element that was opened last. */
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
   * Adds text. Control characters become numeric references. XML 1.0 forbids most of those even so,
   * and S3 sends them all the same; clients ask for {@code encoding-type=url} instead.
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

  /** Returns the reference that S3 writes where StAX writes the character; empty where both do. */
  private static String reference(char c) {
    if (c == '"') {
      return "quot";
    }
    boolean isPlain = c >= ' ' && c != 127 && c != '\ufffe' && c != '\uffff';
    return isPlain ? "" : "#x" + Integer.toHexString(c);
  }

  /** Ends the document and returns it as the answer to a request that went well. */
  public HttpResponse response() {
    Headers headers = new Headers().add("Content-Type", "application/xml");
    return HttpResponse.of(200, headers, payload());
  }

  /** Ends the document. */
  Payload payload() {
    write(out::writeEndDocument);
    return Payload.of(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
