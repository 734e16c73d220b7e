/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import io.penstock.checkpoints.Facts.SinkFacts;
import io.penstock.tables.finding.Finding;
import java.util.List;

/** The file sink's log alone, and what is wrong with it. */
public record SinkReport(SinkFacts sink, List<Finding> findings) {
  public static SinkReport of(SinkFacts sink) {
    return new SinkReport(sink, EntriesJudge.sinkLog(sink));
  }

  /** Readers of the sink's directory see all its files. */
  public boolean isHealthy() {
    return findings.stream().noneMatch(finding -> finding.severity().isHarmful());
  }
}
