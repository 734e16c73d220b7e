/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import io.penstock.checkpoints.Facts.SinkFacts;
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
