/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Parses JSON into plain values: {@link Map}, {@link List}, {@link String}, {@link Number}, {@link
 * Boolean}, null. Throws an {@link IOException} for any text that is not exactly one value,
 * whatever its bytes are.
 */
public final class Json {
  /**
   * The deepest nesting accepted. Spark's files nest only a few levels, so a deeper file was not
   * written by Spark.
   */
  private static final int MAX_DEPTH = 64;

  private static final int MAX_LENGTH = 1 << 20;
  private static final JsonFactory FACTORY = ValueReader.factory(MAX_DEPTH, MAX_LENGTH);

  private Json() {}

  /**
   * Parses exactly one value.
   *
   * @throws IOException when the text is not one JSON value, is nested more than 64 levels deep, or
   *     has a string of more than 1,048,576 characters
   */
  public static Object parse(String text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      // The callers already hold the text in memory, so its length limits the number of values.
      Object value = new ValueReader(Set.of(), Integer.MAX_VALUE).value(parser);
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

  /**
   * Returns the object that the text contains.
   *
   * @throws IOException as {@link #parse}, or when the value is not an object
   */
  public static Map<String, Object> parseObject(String text) throws IOException {
    return object(parse(text)).orElseThrow(() -> new IOException("not a JSON object"));
  }

  /** Returns the fields of an object; empty when the value is not an object. */
  @SuppressWarnings("unchecked") // keys of a JSON object are strings
  public static Optional<Map<String, Object>> object(Object value) {
    return value instanceof Map<?, ?> map
        ? Optional.of((Map<String, Object>) map)
        : Optional.empty();
  }

  /** Returns the elements of an array; no elements when the value is not an array. */
  public static List<?> array(Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  /** Returns a text; empty when the value is not a text. */
  public static Optional<String> text(Object value) {
    return value instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** Returns a whole number; empty for any other value, also for one with a fraction. */
  public static Optional<Long> whole(Object value) {
    return value instanceof Integer || value instanceof Long
        ? Optional.of(((Number) value).longValue())
        : Optional.empty();
  }

  private static long column(com.fasterxml.jackson.core.JsonProcessingException e) {
    return e.getLocation() == null ? 1 : e.getLocation().getCharOffset() + 1;
  }
}
