/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.tables.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An event, or an object inside an event. Fields are read by name, and a field may be missing, null
 * or of an unexpected type, because the events differ between versions of Spark.
 */
record SparkEvent(Map<String, Object> fields) {
  private static final SparkEvent NOTHING = new SparkEvent(Map.of());

  /**
   * The largest number accepted, so that sums of many numbers, also in microseconds, fit into a
   * long.
   */
  private static final long MOST = 1L << 50;

  /** Returns the last part of the name of the event's class. */
  static String sort(Map<String, Object> fields) {
    String name = String.valueOf(fields.get("Event"));
    int dot = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$'));
    return name.substring(dot + 1);
  }

  String sort() {
    return sort(fields);
  }

  boolean has(String name) {
    return fields.get(name) != null;
  }

  /** Returns a text or a number as text; null when the field has neither. */
  String text(String name) {
    Object value = fields.get(name);
    return value instanceof String || value instanceof Number ? value.toString() : null;
  }

  /** Returns a whole number of at least 0, quoted or not; 0 when the field has none. */
  long count(String name) {
    return number(fields.get(name));
  }

  /**
   * Returns a number like {@link #count}, but -1 when the field is missing, because ids start at 0.
   */
  long id(String name) {
    return has(name) ? number(fields.get(name)) : -1;
  }

  static long number(Object value) {
    double number;
    if (value instanceof Number n) {
      number = n.doubleValue();
    } else if (value instanceof String text) {
      try {
        number = Double.parseDouble(text);
      } catch (NumberFormatException e) {
        return 0;
      }
    } else {
      return 0;
    }
    return number > 0 ? (long) Math.min(number, MOST) : 0;
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(fields.get(name));
  }

  /** Returns a time that the field holds in milliseconds; null when there is none. */
  Instant time(String name) {
    long millis = count(name);
    return millis > 0 ? Instant.ofEpochMilli(millis) : null;
  }

  /** Returns an object; an empty one when the field has none. */
  SparkEvent object(String name) {
    return Json.object(fields.get(name)).map(SparkEvent::new).orElse(NOTHING);
  }

  List<?> list(String name) {
    return Json.array(fields.get(name));
  }

  /** Returns the objects in a list. */
  List<SparkEvent> objects(String name) {
    return list(name).stream()
        .flatMap(one -> Json.object(one).stream())
        .map(SparkEvent::new)
        .toList();
  }
}
