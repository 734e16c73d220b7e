/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Rule;
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
          new RowGroup(),
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
          new GarbageCollection());

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
