/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Header fields in the order in which they arrived. Names are compared case-insensitively. */
public final class Headers {
  private final List<Field> fields = new ArrayList<>();

  /** One header field. */
  public record Field(String name, String value) {}

  public Headers add(String name, String value) {
    fields.add(new Field(name, value));
    return this;
  }

  /** Replaces all fields of this name with one field. */
  public Headers set(String name, String value) {
    remove(name);
    return add(name, value);
  }

  public Headers remove(String name) {
    fields.removeIf(field -> field.name().equalsIgnoreCase(name));
    return this;
  }

  public boolean has(String name) {
    return first(name).isPresent();
  }

  public Optional<String> first(String name) {
    for (Field field : fields) {
      if (field.name().equalsIgnoreCase(name)) {
        return Optional.of(field.value());
      }
    }
    return Optional.empty();
  }

  public List<String> all(String name) {
    return fields.stream()
        .filter(field -> field.name().equalsIgnoreCase(name))
        .map(Field::value)
        .toList();
  }

  /** Returns true if a comma-separated field such as {@code Connection} contains the token. */
  public boolean hasToken(String name, String token) {
    for (String value : all(name)) {
      for (String part : value.split(",", -1)) {
        if (part.trim().equalsIgnoreCase(token)) {
          return true;
        }
      }
    }
    return false;
  }

  public List<Field> fields() {
    return Collections.unmodifiableList(fields);
  }

  public Headers copy() {
    Headers copy = new Headers();
    copy.fields.addAll(fields);
    return copy;
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
