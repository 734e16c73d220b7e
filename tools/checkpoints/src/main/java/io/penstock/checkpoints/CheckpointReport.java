/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import io.penstock.tables.finding.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The facts about a checkpoint and the problems found in it.
 *
 * @param findings the most severe first
 */
public record CheckpointReport(String where, Facts facts, List<Finding> findings) {
  /** Creates the report. The same facts always give the same findings. */
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

  /** Returns true if no finding stops or corrupts the query. */
  public boolean isHealthy() {
    return findings.stream().noneMatch(finding -> finding.severity().isHarmful());
  }
}
