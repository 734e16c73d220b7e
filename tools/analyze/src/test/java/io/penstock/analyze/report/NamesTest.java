/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.rules.Rules;
import io.penstock.tables.Label;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The names that users type for tables and rules. */
class NamesTest {
  private static final Path TABLES_PAGE = Path.of("../../docs/analyze.md");
  private static final Path RULES_PAGE = Path.of("../../docs/advise.md");

  static List<Label> tables() {
    return ReportTables.labels();
  }

  static List<Label> rules() {
    return Rules.labels();
  }

  static Stream<List<Label>> kinds() {
    return Stream.of(tables(), rules());
  }

  @Test
  void everyTableAndEveryRuleHasALabel() {
    assertThat(tables()).contains(new Label("T4", "top-seconds", "Top 10 seconds"));
    assertThat(rules()).contains(new Label("R3", "file-size", "write fewer, larger files"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noTextMeansTwoThings(List<Label> labels) {
    assertThat(
            labels.stream()
                .flatMap(label -> Stream.of(label.name(), label.id().toLowerCase(Locale.ROOT)))
                .filter(text -> !text.equals("files") && !text.equals("records")))
        .doesNotHaveDuplicates()
        .doesNotContain("all");
  }

  @ParameterizedTest
  @MethodSource({"tables", "rules"})
  void aNameIsLowerCaseWordsWithHyphens(Label label) {
    assertThat(label.name()).matches("[a-z]+(-[a-z]+)*").hasSizeLessThanOrEqualTo(20);
    assertThat(label.title()).isNotBlank();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void thePageOfAnalyzeListsEveryTable(Label label) {
    boolean hasId = !label.id().equalsIgnoreCase(label.name());
    assertThat(TABLES_PAGE)
        .content()
        .contains("\n| `%s` | %s | ".formatted(label.name(), hasId ? label.id() : "–"));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void thePageOfAdviseListsEveryRule(Label label) {
    assertThat(RULES_PAGE).content().contains("\n| `%s` %s | ".formatted(label.name(), label.id()));
  }
}
