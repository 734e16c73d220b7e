/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import io.penstock.tables.finding.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A checkpoint and what is wrong with it.
 *
 * @param findings the worst first
 */
public record CheckpointReport(String where, Facts facts, List<Finding> findings) {
  /** Judges facts; the same facts get the same findings. */
  public static CheckpointReport of(String where, Facts facts) {
    List<Finding> findings =
        Stream.of(
                LogJudge.judge(facts),
                StateJudge.judge(facts),
                SideJudge.judge(facts),
                EntriesJudge.judge(facts),
                LeftoverJudge.judge(facts))
            .flatMap(List::stream)
            .sorted(Comparator.comparing(Finding::severity))
            .toList();
    return new CheckpointReport(where, facts, findings);
  }

  /** Nothing in it stops or corrupts the query. */
  public boolean isHealthy() {
    return findings.stream().noneMatch(finding -> finding.severity().isHarmful());
  }
}
