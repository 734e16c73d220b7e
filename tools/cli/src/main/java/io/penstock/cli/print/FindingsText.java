/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

import io.penstock.tables.finding.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Formats findings for a terminal. Findings of the same kind are grouped, with their first few
 * places.
 */
public final class FindingsText {
  private static final int PLACES = 4;

  private record Sort(String severity, String what, String advice) {}

  private FindingsText() {}

  public static String of(List<Finding> findings) {
    Map<Sort, List<Finding>> sorts = new LinkedHashMap<>();
    for (Finding finding : findings) {
      Sort sort = new Sort(finding.severity().word(), finding.what(), finding.advice());
      sorts.computeIfAbsent(sort, key -> new ArrayList<>()).add(finding);
    }
    StringBuilder text = new StringBuilder();
    sorts.forEach((sort, found) -> text.append('\n').append(of(sort, found)));
    return text.toString();
  }

  private static String of(Sort sort, List<Finding> found) {
    StringBuilder text = new StringBuilder();
    String head = sort.severity().toUpperCase(Locale.ROOT) + "  ";
    text.append(Wrapped.text(head, "  ", visible(sort.what())));
    found.stream()
        .limit(PLACES)
        .forEach(finding -> text.append("    ").append(visible(finding.where())).append('\n'));
    if (found.size() > PLACES) {
      text.append("    and %,d more%n".formatted(found.size() - PLACES));
    }
    text.append(Wrapped.text("  ", "  ", visible(found.get(0).meaning())));
    text.append(Wrapped.text("  > ", "    ", visible(sort.advice())));
    return text.toString();
  }

  /**
   * Returns a name with its control characters made visible. Names in a checkpoint may contain
   * sequences that a terminal would execute.
   */
  public static String visible(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                shown.append("\\x%02x".formatted(c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }
}
