/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.core.config.Nearest;
import io.penstock.tables.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds what the command line calls by its name, or by its id. */
public final class Labels {
  private Labels() {}

  /**
   * Returns the label that a text means, in any case.
   *
   * @param kind one word for what is looked for, such as table
   * @throws IllegalArgumentException naming the one most like it, and all names
   */
  public static Label find(String kind, String text, List<Label> known) {
    String wanted = text.strip();
    return known.stream()
        .filter(label -> label.isCalled(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no %s %s; did you mean %s? There are %s"
                        .formatted(kind, wanted, nearest(wanted, known), names(known))));
  }

  private static String nearest(String wanted, List<Label> known) {
    List<String> texts = new ArrayList<>(known.stream().map(Label::name).toList());
    known.forEach(label -> texts.add(label.id().toLowerCase(Locale.ROOT)));
    int place = texts.indexOf(Nearest.of(wanted.toLowerCase(Locale.ROOT), texts));
    Label label = known.get(place % known.size());
    return place < known.size() ? label.name() : label.id() + " (" + label.name() + ")";
  }

  private static String names(List<Label> known) {
    return String.join(", ", known.stream().map(Label::name).toList());
  }
}
