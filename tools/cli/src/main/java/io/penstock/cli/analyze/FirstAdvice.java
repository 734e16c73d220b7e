/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.cli.print.Wrapped;
import io.penstock.tables.format.Values;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The end of the first screen: the most important advice, and the commands that show more. */
final class FirstAdvice {
  private static final int SHOWN = 3;
  private static final int WIDTH = 80;
  private static final String INDENT = "      ";
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private FirstAdvice() {}

  static String of(List<Advice> all, List<String> paths) {
    List<Advice> todo =
        all.stream()
            .filter(
                one ->
                    one.verdict() == AdviceVerdict.DO || one.verdict() == AdviceVerdict.BENCHMARK)
            .toList();
    StringBuilder text = new StringBuilder("\n");
    if (todo.isEmpty()) {
      text.append(Wrapped.text("  ", "  ", nothing(all)));
    }
    for (Advice advice : todo.subList(0, Math.min(SHOWN, todo.size()))) {
      text.append("  %-4s%s\n".formatted(advice.rule(), advice.label().titleAndName()));
      text.append(Wrapped.text(INDENT, INDENT, Values.visible(advice.evidence())));
    }
    String logs = paths.stream().map(FirstAdvice::quoted).collect(Collectors.joining(" "));
    text.append('\n');
    String what = "  What to set, and why:";
    String command = "penstock advise " + logs;
    boolean fits = what.length() + 1 + command.length() <= WIDTH;
    text.append(what).append(fits ? " " : "\n    ").append(command).append('\n');
    text.append("  All tables: --tables   A page with plots: --html report.html\n");
    return text.toString();
  }

  /** Returns a path as a shell takes it for one word. */
  private static String quoted(String path) {
    return PLAIN.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'";
  }

  private static String nothing(List<Advice> all) {
    long lacking = all.stream().filter(one -> one.verdict() == AdviceVerdict.NO_EVIDENCE).count();
    return lacking == 0
        ? "Nothing to change was found."
        : "No rule found something to change, but %d of %d lack what they would have to know."
            .formatted(lacking, all.size());
  }
}
