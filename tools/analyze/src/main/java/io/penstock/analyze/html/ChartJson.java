/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.List;

/**
 * Writes the data of charts as JSON, with control characters in names made visible and numbers
 * shortened.
 */
final class ChartJson {
  /** Writes the fields of one element of a list. */
  interface Each<T> {
    void write(T thing) throws IOException;
  }

  private static final double EXACT = 1e15;

  private final JsonGenerator json;

  ChartJson(JsonGenerator json) {
    this.json = json;
  }

  void text(String name, String value) throws IOException {
    json.writeStringField(name, Values.visible(value));
  }

  void flag(String name, boolean value) throws IOException {
    json.writeBooleanField(name, value);
  }

  void whole(String name, long value) throws IOException {
    json.writeNumberField(name, value);
  }

  void number(String name, double value) throws IOException {
    json.writeFieldName(name);
    number(value);
  }

  void texts(String name, List<String> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(Values.visible(value));
    }
    json.writeEndArray();
  }

  void numbers(String name, List<Double> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (double value : values) {
      number(value);
    }
    json.writeEndArray();
  }

  /** Writes a list of objects. */
  <T> void objects(String name, List<T> things, Each<T> each) throws IOException {
    json.writeArrayFieldStart(name);
    for (T thing : things) {
      json.writeStartObject();
      each.write(thing);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void number(double value) throws IOException {
    if (!Double.isFinite(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      json.writeNumber((long) value);
    } else {
      // Four digits are more than a screen can show.
      json.writeNumber(
          new java.math.BigDecimal(value).round(new java.math.MathContext(4)).doubleValue());
    }
  }
}
