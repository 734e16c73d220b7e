/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.report;

import io.penstock.checkpoints.facts.CheckpointFacts.SinkFacts;
import io.penstock.checkpoints.judge.EntriesJudge;
import io.penstock.tables.finding.Finding;
import java.util.List;

/** The file sink's log, checked without a checkpoint, and the problems found in it. */
public record SinkReport(SinkFacts sink, List<Finding> findings) {
  public static SinkReport of(SinkFacts sink) {
    return new SinkReport(sink, EntriesJudge.sinkLog(sink));
  }

  /** Returns true if readers of the sink's directory see all its files. */
  public boolean isHealthy() {
    return findings.stream().noneMatch(finding -> finding.severity().isHarmful());
  }
}
