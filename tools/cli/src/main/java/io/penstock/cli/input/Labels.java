/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.core.config.NearestName;
import io.penstock.tables.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds a label by the name or id that was given on the command line. */
public final class Labels {
  private Labels() {}

  /**
   * Returns the label that matches a text, ignoring case.
   *
   * @param kind one word for the kind of label, such as table
   * @throws IllegalArgumentException when none matches; the message names the most similar label
   *     and all names
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
    int place = texts.indexOf(NearestName.of(wanted.toLowerCase(Locale.ROOT), texts));
    Label label = known.get(place % known.size());
    return place < known.size() ? label.name() : label.id() + " (" + label.name() + ")";
  }

  private static String names(List<Label> known) {
    return String.join(", ", known.stream().map(Label::name).toList());
  }
}
