/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A named column of a {@link Table}. */
public record Column(String name, Kind kind) {
  public Column {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
  }

  /**
   * Returns columns that are written as in {@code api text, requests count}: a name, which may have
   * several words, and a kind.
   *
   * @throws IllegalArgumentException when one of them is not a name and a kind
   */
  public static List<Column> list(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).map(Column::parse).toList();
  }

  private static Column parse(String text) {
    int space = text.lastIndexOf(' ');
    if (space < 0) {
      throw new IllegalArgumentException(text + " is not a name and a kind");
    }
    String kind = text.substring(space + 1).toUpperCase(Locale.ROOT);
    return new Column(text.substring(0, space).strip(), Kind.valueOf(kind));
  }
}
