/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Prices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The table of docs/checkpoints.md is what the formulas give. */
class EfsPageTest {
  private static final Path PAGE = Path.of("../../docs/checkpoints.md");

  private static String row(String stored, double gib) {
    Efs efs = new Efs(gib);
    double dollars = gib * Prices.usEast1().efsStored();
    return String.format(
        Locale.ROOT,
        "  | %s | %s | %,.0f | %.0f | $%s |",
        stored,
        efs.baseline() < 10 && efs.baseline() != 1
            ? String.format(Locale.ROOT, "%.1f", efs.baseline())
            : String.format(Locale.ROOT, "%.0f", efs.baseline()),
        efs.burst(),
        efs.burstMinutesADay(),
        String.format(Locale.ROOT, dollars < 1 ? "%.2f" : "%,.0f", dollars));
  }

  @Test
  void theTableIsWhatTheFormulasGive() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      if (line.matches("  \\| \\d+ [GT]iB \\|.*")) {
        rows.add(line);
      }
    }
    assertThat(rows)
        .containsExactly(
            row("1 GiB", 1), row("100 GiB", 100), row("1 TiB", 1024), row("10 TiB", 10_240));
  }
}
