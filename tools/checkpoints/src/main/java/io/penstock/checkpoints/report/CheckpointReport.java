/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.report;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.judge.EntriesJudge;
import io.penstock.checkpoints.judge.LeftoverJudge;
import io.penstock.checkpoints.judge.LogJudge;
import io.penstock.checkpoints.judge.SideJudge;
import io.penstock.checkpoints.judge.StateJudge;
import io.penstock.tables.finding.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The facts about a checkpoint and the problems found in it.
 *
 * @param findings the most severe first
 */
public record CheckpointReport(String where, CheckpointFacts facts, List<Finding> findings) {
  /** Creates the report. The same facts always give the same findings. */
  public static CheckpointReport of(String where, CheckpointFacts facts) {
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
