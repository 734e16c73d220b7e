/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

import java.util.Objects;

/**
 * The names of a table, a plot or a rule.
 *
 * @param id a letter and a number, short enough for any place, such as T4
 * @param name the name that users type, in lower case with hyphens, such as top-seconds; the id
 *     when users never type a name
 * @param title a short description of the content
 */
public record Label(String id, String name, String title) {
  public Label {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(title, "title");
  }

  /** Returns a label without a name, for something that users never request by name. */
  public static Label unnamed(String id, String title) {
    return new Label(id, id, title);
  }

  /** Returns true if the text is the name or the id, in upper or lower case. */
  public boolean isCalled(String text) {
    return text.equalsIgnoreCase(name) || text.equalsIgnoreCase(id);
  }

  /** Returns true if the name differs from the id. */
  public boolean hasName() {
    return !id.equalsIgnoreCase(name);
  }

  /** Returns the id and the name, for display beside a title. */
  public String idAndName() {
    return hasName() ? id + " " + name : id;
  }

  /** Returns the title followed by the name, for a terminal. */
  public String titleAndName() {
    return hasName() ? title + "  [" + name + "]" : title;
  }
}
