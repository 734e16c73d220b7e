/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.machine.ControlGroup.MemoryLimit;
import java.util.List;

/** Reports the memory limit of the container, and whether the kernel has killed processes in it. */
public record MemoryLimitCheck(Machine machine) implements Check {
  @Override
  public String name() {
    return "memory limit";
  }

  @Override
  public List<CheckOutcome> look() {
    if (machine.property("os.name").filter(os -> os.startsWith("Linux")).isEmpty()) {
      return List.of(CheckOutcome.skipped(name(), "only Linux has cgroups"));
    }
    return List.of(
        new ControlGroup(machine)
            .memory()
            .map(this::judge)
            .orElseGet(() -> CheckOutcome.pass(name(), "none")));
  }

  private CheckOutcome judge(MemoryLimit limit) {
    String said =
        "%,d MiB (cgroup v%d), %,d MiB in use"
            .formatted(limit.limitBytes() >> 20, limit.version(), limit.usedBytes() >> 20);
    return verdict(limit, said)
        .with("limitMebibytes", limit.limitBytes() >> 20)
        .with("usedMebibytes", limit.usedBytes() >> 20)
        .with("oomKills", limit.kills());
  }

  private CheckOutcome verdict(MemoryLimit limit, String said) {
    if (limit.kills() > 0) {
      return CheckOutcome.warn(
          name(),
          said
              + "; the kernel killed a process %,d times because memory ran out"
                  .formatted(limit.kills()),
          "Raise spark.executor.memoryOverhead: Python workers, buffers and metaspace are outside"
              + " the heap. Set the memory request and the memory limit to 1.15 times the peak.");
    }
    if (machine.maxHeapBytes() >= limit.limitBytes()) {
      return CheckOutcome.warn(
          name(),
          said + "; the heap alone may grow to %,d MiB".formatted(machine.maxHeapBytes() >> 20),
          "Set -Xmx below the limit: the kernel kills a process whose heap and other memory"
              + " together reach the limit.");
    }
    return CheckOutcome.pass(name(), said);
  }
}
