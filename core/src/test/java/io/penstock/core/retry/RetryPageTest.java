/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.request.Repeat;
import io.penstock.core.retry.RetryDecider.Facts;
import io.penstock.core.retry.RetryDecider.Failures;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The first table of docs/retries.md is what the decider does under the default settings. */
class RetryPageTest {
  private static final Path PAGE = Path.of("../docs/retries.md");

  private final RetryDecider decider = new RetryDecider(RetryConfig.from(Settings.of(Map.of())));

  private static List<List<String>> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::trim).toList())
        .toList();
  }

  private boolean isRepeated(Kind kind, Failures failures, Duration elapsed) {
    Repeat repeat = kind == Kind.THROTTLED ? Repeat.SHORTLY : Repeat.BACK_OFF;
    Facts facts =
        new Facts(kind, true, repeat, failures, elapsed, Duration.ZERO, Optional.empty(), 0);
    return decider.next(facts).delay().isPresent();
  }

  private int mostAttempts(Kind kind) {
    Repeat repeat = kind == Kind.THROTTLED ? Repeat.SHORTLY : Repeat.BACK_OFF;
    Failures failures = Failures.NONE.plus(kind, repeat);
    while (isRepeated(kind, failures, Duration.ZERO)) {
      failures = failures.plus(kind, repeat);
    }
    return failures.total();
  }

  private String until(Kind kind) {
    Failures once =
        Failures.NONE.plus(kind, kind == Kind.THROTTLED ? Repeat.SHORTLY : Repeat.BACK_OFF);
    int minutes = 0;
    while (isRepeated(kind, once, Duration.ofMinutes(minutes).minusSeconds(1))) {
      minutes++;
    }
    return minutes == 0 ? "-" : (minutes - 1) + " min";
  }

  @Test
  void eachClassHasOneRowThatSaysWhatTheDeciderDoes() throws IOException {
    List<List<String>> rows = rows();
    assertThat(rows.stream().map(row -> row.get(1)))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Kind.values()).map(kind -> "`" + kind + "`").toList());
    for (List<String> row : rows) {
      Kind kind = Kind.valueOf(row.get(1).replace("`", ""));
      String repeated =
          switch (kind.retry()) {
            case NEVER -> "no";
            case SAFE -> "yes";
            case IF_IDEMPOTENT -> "with care";
          };
      assertThat(row.subList(3, 6))
          .as("docs/retries.md, %s", kind)
          .containsExactly(repeated, String.valueOf(mostAttempts(kind)), until(kind));
    }
  }
}
