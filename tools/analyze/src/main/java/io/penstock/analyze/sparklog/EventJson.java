/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.tables.json.ValueReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parses an event from one line, and skips large fields that are not needed. */
final class EventJson {
  /**
   * The longest line that is read. Plans with many thousand columns have the longest lines. Spark's
   * own reader needs several times this much memory for such a line.
   */
  static final int MAX_LINE = 64 << 20;

  /** The deepest nesting that is parsed. Each operator of a plan adds two levels. */
  private static final int MAX_DEPTH = 1000;

  private static final JsonFactory FACTORY = ValueReader.factory(MAX_DEPTH, MAX_LINE);

  // These fields are most of a log's bytes: lineage, stack traces, plan texts, names of
  // accumulators.
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

  /**
   * The most values of one event. More could fill the memory, and no event of Spark has so many.
   */
  private static final int MAX_VALUES = 1 << 21;

  private EventJson() {}

  /**
   * Parses an event.
   *
   * @return empty when the event is valid but its type is not in wanted
   * @throws IOException when the text is not an event
   */
  static Optional<SparkEvent> parse(byte[] text, int start, int end, Set<String> wanted)
      throws IOException {
    try (JsonParser parser = FACTORY.createParser(text, start, end - start)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not an object");
      }
      ValueReader values = new ValueReader(LEFT_OUT, MAX_VALUES);
      Map<String, Object> fields = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        values.field(parser, fields);
        // The Event field comes first, so the rest of an unwanted event is not parsed.
        if (name.equals("Event") && !wanted.contains(SparkEvent.sort(fields))) {
          return Optional.empty();
        }
      }
      if (parser.nextToken() != null) {
        throw new IOException("there is more behind the event");
      }
      return Optional.of(new SparkEvent(fields));
    }
  }
}
