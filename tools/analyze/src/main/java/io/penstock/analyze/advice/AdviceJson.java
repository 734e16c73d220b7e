/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Advice as JSON: an array of objects, with the queries but not their rows. */
public final class AdviceJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private AdviceJson() {}

  public static String of(List<Advice> all) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartArray();
      for (Advice advice : all) {
        write(json, advice);
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory takes all that is written", e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Advice advice) throws IOException {
    json.writeStartObject();
    json.writeStringField("rule", advice.rule());
    json.writeStringField("name", advice.label().name());
    json.writeStringField("title", advice.title());
    json.writeStringField("verdict", advice.verdict().word());
    json.writeStringField("evidence", advice.evidence());
    json.writeArrayFieldStart("changes");
    for (Change change : advice.changes()) {
      json.writeStartObject();
      json.writeStringField("target", change.target().word());
      json.writeStringField("name", change.name());
      json.writeStringField("now", change.now());
      json.writeStringField("next", change.next());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("effect", advice.effect());
    json.writeStringField("confidence", advice.confidence().letter());
    json.writeStringField("risk", advice.risk());
    json.writeStringField("verify", advice.verify());
    json.writeStringField("source", advice.source());
    json.writeArrayFieldStart("queries");
    for (Proof proof : advice.proofs()) {
      json.writeString(proof.query().name());
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
