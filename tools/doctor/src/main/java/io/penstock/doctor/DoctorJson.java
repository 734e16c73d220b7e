/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.doctor.DoctorReport.Effective;
import io.penstock.doctor.DoctorReport.Line;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a report as JSON. The names are a stable format: names may be added, but existing names
 * never change.
 */
public final class DoctorJson {
  private DoctorJson() {}

  public static String of(DoctorReport report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      write(report, json);
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail", e);
    }
    return text.toString();
  }

  private static void write(DoctorReport report, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("target", report.target());
    for (Verdict verdict : Verdict.values()) {
      json.writeNumberField(verdict.word(), report.count(verdict));
    }
    json.writeArrayFieldStart("checks");
    for (Line line : report.lines()) {
      check(line, json);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("settings");
    for (Effective setting : report.settings()) {
      json.writeStartObject();
      json.writeStringField("name", setting.name());
      json.writeStringField("value", setting.value());
      json.writeStringField("state", setting.state());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void check(Line line, JsonGenerator json) throws IOException {
    CheckOutcome outcome = line.outcome();
    json.writeStartObject();
    json.writeStringField("group", line.group());
    json.writeStringField("check", outcome.check());
    json.writeStringField("verdict", outcome.verdict().word());
    json.writeStringField("said", outcome.said());
    json.writeStringField("fix", outcome.fix());
    json.writeObjectFieldStart("numbers");
    for (Map.Entry<String, Long> number : new TreeMap<>(outcome.numbers()).entrySet()) {
      json.writeNumberField(number.getKey(), number.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }
}
