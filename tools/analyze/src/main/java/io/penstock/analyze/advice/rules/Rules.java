/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.rules.executor.CpuRequest;
import io.penstock.analyze.advice.rules.executor.GarbageCollection;
import io.penstock.analyze.advice.rules.executor.IdleCores;
import io.penstock.analyze.advice.rules.executor.MemoryRequest;
import io.penstock.analyze.advice.rules.job.AllocationSize;
import io.penstock.analyze.advice.rules.job.CheckpointStore;
import io.penstock.analyze.advice.rules.job.Committer;
import io.penstock.analyze.advice.rules.job.EvidenceQuality;
import io.penstock.analyze.advice.rules.job.FewTasks;
import io.penstock.analyze.advice.rules.job.Metadata;
import io.penstock.analyze.advice.rules.job.Ndots;
import io.penstock.analyze.advice.rules.job.PartitionBytes;
import io.penstock.analyze.advice.rules.job.RequestPath;
import io.penstock.analyze.advice.rules.job.RowGroupSize;
import io.penstock.analyze.advice.rules.job.Skew;
import io.penstock.analyze.advice.rules.job.Spill;
import io.penstock.analyze.advice.rules.job.VectoredReads;
import io.penstock.analyze.advice.rules.throttling.AimdOff;
import io.penstock.analyze.advice.rules.throttling.AimdOn;
import io.penstock.analyze.advice.rules.throttling.HotPrefix;
import io.penstock.analyze.advice.rules.throttling.SmallFiles;
import io.penstock.analyze.advice.rules.throttling.ThrottledDeletes;
import io.penstock.analyze.advice.rules.timeout.ConnectionPool;
import io.penstock.analyze.advice.rules.timeout.NestedRetries;
import io.penstock.analyze.advice.rules.timeout.SlowTail;
import io.penstock.analyze.advice.rules.timeout.TimeoutPlace;
import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/** All rules, in their order. */
public final class Rules {
  private static final List<Rule> ALL =
      List.of(
          new AimdOn(),
          new AimdOff(),
          new SmallFiles(),
          new HotPrefix(),
          new SlowTail(),
          new TimeoutPlace(),
          new AllocationSize(),
          new VectoredReads(),
          new RowGroupSize(),
          new PartitionBytes(),
          new CpuRequest(),
          new MemoryRequest(),
          new Ndots(),
          new CheckpointStore(),
          new Committer(),
          new Metadata(),
          new NestedRetries(),
          new EvidenceQuality(),
          new RequestPath(),
          new Skew(),
          new Spill(),
          new IdleCores(),
          new GarbageCollection(),
          new ConnectionPool(),
          new ThrottledDeletes(),
          new FewTasks());

  private Rules() {}

  public static List<Rule> all() {
    return ALL;
  }

  /** Returns the labels of the rules, in their order. */
  public static List<Label> labels() {
    return ALL.stream().map(Rule::label).toList();
  }

  /** Returns the rule with this id. */
  public static Optional<Rule> byId(String id) {
    return ALL.stream().filter(rule -> rule.id().equals(id)).findFirst();
  }
}
