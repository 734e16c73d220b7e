/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

import java.util.Objects;

/**
 * The names of a table, a plot or a rule.
 *
 * @param id a letter and a number that fit everywhere, such as T4
 * @param name what people type, lower case with hyphens, such as top-seconds; the id where nobody
 *     has to type anything
 * @param title what it shows, in a few words
 */
public record Label(String id, String name, String title) {
  public Label {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(title, "title");
  }

  /** Returns the label of something that nobody asks for by name. */
  public static Label unnamed(String id, String title) {
    return new Label(id, id, title);
  }

  /** Returns true if it goes by this text: its name or its id, in any case. */
  public boolean isCalled(String text) {
    return text.equalsIgnoreCase(name) || text.equalsIgnoreCase(id);
  }

  /** Returns true if the name adds something to the id. */
  public boolean hasName() {
    return !id.equalsIgnoreCase(name);
  }

  /** Returns id and name, as they stand beside a title. */
  public String idAndName() {
    return hasName() ? id + " " + name : id;
  }

  /** Returns the title with the name behind it, for a terminal. */
  public String titleAndName() {
    return hasName() ? title + "  [" + name + "]" : title;
  }
}
