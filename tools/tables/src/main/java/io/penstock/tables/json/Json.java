/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON as plain values: {@link Map}, {@link List}, {@link String}, {@link Number}, {@link Boolean},
 * null. Text that is not exactly one value is an {@link IOException}, whatever its bytes are.
 */
public final class Json {
  /** Spark nests a handful of levels; a file that nests more was not written by it. */
  private static final int MAX_DEPTH = 64;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(1 << 20)
                  .build())
          .build();

  private Json() {}

  public static Object parse(String text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new IOException("there is more after the end of the JSON");
      }
      return value;
    } catch (StreamConstraintsException e) {
      throw new IOException("the JSON is deeper or longer than any that Spark writes", e);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IOException("not JSON at character " + column(e), e);
    }
  }

  /** The value when it is an object. */
  public static Map<String, Object> parseObject(String text) throws IOException {
    return object(parse(text)).orElseThrow(() -> new IOException("not a JSON object"));
  }

  @SuppressWarnings("unchecked") // keys of a JSON object are strings
  public static Optional<Map<String, Object>> object(Object value) {
    return value instanceof Map<?, ?> map
        ? Optional.of((Map<String, Object>) map)
        : Optional.empty();
  }

  /** The elements when it is an array, none otherwise. */
  public static List<?> array(Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  public static Optional<String> text(Object value) {
    return value instanceof String text ? Optional.of(text) : Optional.empty();
  }

  public static Optional<Long> whole(Object value) {
    return value instanceof Integer || value instanceof Long
        ? Optional.of(((Number) value).longValue())
        : Optional.empty();
  }

  private static long column(com.fasterxml.jackson.core.JsonProcessingException e) {
    return e.getLocation() == null ? 1 : e.getLocation().getCharOffset() + 1;
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("the JSON ends too soon");
    }
    return switch (token) {
      case START_OBJECT -> fields(parser);
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IOException("not JSON: unexpected " + token);
    };
  }

  private static Map<String, Object> fields(JsonParser parser) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(parser));
    }
    return fields;
  }

  private static List<Object> elements(JsonParser parser) throws IOException {
    List<Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }
}
