/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.tables.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An event, or an object in one. Fields are asked for by name and may be missing, null or of
 * another type: logs of all versions of Spark have their own.
 */
record Event(Map<String, Object> fields) {
  private static final Event NOTHING = new Event(Map.of());

  /** Sums of so many stay within a long, and so does their time in microseconds. */
  private static final long MOST = 1L << 50;

  /** The last part of the name of the event's class. */
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

  /** A text or number as text; null when there is none. */
  String text(String name) {
    Object value = fields.get(name);
    return value instanceof String || value instanceof Number ? value.toString() : null;
  }

  /** A whole number from 0, be it quoted or not; 0 when there is none. */
  long count(String name) {
    return number(fields.get(name));
  }

  /** Returns it as {@link #count}; -1 when the field is missing, as ids start at 0. */
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

  /** A time in milliseconds; null when there is none. */
  Instant time(String name) {
    long millis = count(name);
    return millis > 0 ? Instant.ofEpochMilli(millis) : null;
  }

  /** An object; one without fields when there is none. */
  Event object(String name) {
    return Json.object(fields.get(name)).map(Event::new).orElse(NOTHING);
  }

  List<?> list(String name) {
    return Json.array(fields.get(name));
  }

  /** The objects of a list. */
  List<Event> objects(String name) {
    return list(name).stream().flatMap(one -> Json.object(one).stream()).map(Event::new).toList();
  }
}
