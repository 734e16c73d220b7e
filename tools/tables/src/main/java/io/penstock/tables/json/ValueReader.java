/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the value at a parser's position as plain values: {@link Map}, {@link List}, {@link
 * String}, {@link Number}, {@link Boolean}, null. A reader counts all values that it reads, and
 * fails when there are too many. The count is never reset, so each text needs a new reader.
 */
public final class ValueReader {
  private final Set<String> leftOut;
  private int left;

  /**
   * Creates a reader.
   *
   * @param leftOut the names of fields that are skipped with all their content
   * @param maxValues the number of values, at any depth, at which reading fails
   */
  public ValueReader(Set<String> leftOut, int maxValues) {
    this.leftOut = leftOut;
    this.left = maxValues;
  }

  /** Returns a factory of parsers that reject deeper nesting and longer strings. */
  public static JsonFactory factory(int maxDepth, int maxLength) {
    StreamReadConstraints limits =
        StreamReadConstraints.builder()
            .maxNestingDepth(maxDepth)
            .maxStringLength(maxLength)
            .build();
    return JsonFactory.builder().streamReadConstraints(limits).build();
  }

  /** Reads the field whose name is the parser's current token, and adds it to the map. */
  public void field(JsonParser parser, Map<String, Object> into) throws IOException {
    String name = parser.currentName();
    parser.nextToken();
    if (leftOut.contains(name)) {
      parser.skipChildren();
    } else {
      into.put(name, value(parser));
    }
  }

  /**
   * Reads the value whose first token is the parser's current token. Afterwards, the current token
   * is the value's last one.
   *
   * @throws IOException when there is no value, or too many values
   */
  public Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("the JSON ends too soon");
    }
    if (--left < 0) {
      throw new IOException("the JSON has too many values");
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
          throw new IOException("not JSON: unexpected " + token);
    };
  }

  private Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      field(parser, fields);
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
