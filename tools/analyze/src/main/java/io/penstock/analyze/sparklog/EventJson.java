/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads an event of one line, without what is large and not needed. */
final class EventJson {
  /** Each operator of a plan nests two levels. */
  private static final int MAX_DEPTH = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(EventLines.MAX_LINE)
                  .build())
          .build();

  // Most of a log's bytes: lineage, stack traces, the text of plans, names of accumulators.
  private static final Set<String> LEFT_OUT =
      Set.of(
          "RDD Info",
          "Stage Infos",
          "Details",
          "details",
          "physicalPlanDescription",
          "simpleString",
          "metadata",
          "Parent IDs",
          "Updated Blocks",
          "Log Urls",
          "Attributes",
          "Stack Trace",
          "Full Stack Trace",
          "Accumulator Updates",
          "Classpath Entries",
          "modifiedConfigs",
          "Metadata",
          "Name",
          "Value",
          "Internal",
          "Count Failed Values",
          "startOffset",
          "endOffset",
          "latestOffset",
          "customMetrics",
          "observedMetrics");

  /** An event of very many values would fill the memory, and none of Spark's has so many. */
  private static final int MAX_VALUES = 1 << 21;

  private int left = MAX_VALUES;

  private EventJson() {}

  /**
   * Reads an event.
   *
   * @return empty when it is well but of a sort that nobody wants
   * @throws IOException when it is not an event
   */
  static Optional<Event> parse(byte[] text, int start, int end, Set<String> wanted)
      throws IOException {
    try (JsonParser parser = FACTORY.createParser(text, start, end - start)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not an object");
      }
      EventJson json = new EventJson();
      Map<String, Object> fields = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        json.read(parser, name, fields);
        // It comes first: what is not wanted is not even looked at.
        if (name.equals("Event") && !wanted.contains(Event.sort(fields))) {
          return Optional.empty();
        }
      }
      if (parser.nextToken() != null) {
        throw new IOException("there is more behind the event");
      }
      return Optional.of(new Event(fields));
    }
  }

  private void read(JsonParser parser, String name, Map<String, Object> into) throws IOException {
    if (LEFT_OUT.contains(name)) {
      parser.skipChildren();
    } else {
      into.put(name, value(parser));
    }
  }

  private Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (--left < 0) {
      throw new IOException("the event has too many values");
    }
    if (token == null) {
      throw new IOException("the event ends too soon");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IOException("unexpected " + token);
    };
  }

  private Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      read(parser, name, fields);
    }
    return fields;
  }

  private List<Object> array(JsonParser parser) throws IOException {
    List<Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }
}
