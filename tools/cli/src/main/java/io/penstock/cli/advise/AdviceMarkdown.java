/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.advise;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Change;
import io.penstock.cli.print.FindingsText;
import java.util.List;
import java.util.stream.Collectors;

/** Formats advice as a table in Markdown. */
final class AdviceMarkdown {
  private static final String HEAD =
      """
      | verdict | rule | evidence | now -> recommended | expected effect | verify |
      |---|---|---|---|---|---|
      """;

  private AdviceMarkdown() {}

  static String of(List<Advice> all) {
    StringBuilder text = new StringBuilder(HEAD);
    for (Advice advice : all) {
      String changes =
          advice.changes().stream().map(AdviceMarkdown::of).collect(Collectors.joining("<br>"));
      text.append("| ").append(advice.verdict().word());
      text.append(" | ").append(advice.rule()).append(' ').append(safe(advice.title()));
      text.append(" `").append(advice.label().name()).append('`');
      text.append(" | ").append(safe(advice.evidence())).append(" | ").append(changes);
      text.append(" | ").append(safe(advice.effect()));
      if (!advice.effect().isEmpty()) {
        text.append(" (").append(advice.confidence().letter()).append(')');
      }
      text.append(" | ").append(safe(advice.verify())).append(" |\n");
    }
    return text.toString();
  }

  private static String of(Change change) {
    String next = change.isRemoval() ? "take it out" : change.next();
    return safe(change.name() + ": " + change.now() + " -> " + next);
  }

  /** Escapes a name from the logs, so that no part of it becomes markup. */
  private static String safe(String text) {
    return FindingsText.visible(text)
        .replace("\\", "\\\\")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("|", "\\|")
        .replace("*", "\\*")
        .replace("_", "\\_")
        .replace("`", "\\`")
        .replace("[", "\\[");
  }
}
