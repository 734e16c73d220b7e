/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.machine.ControlGroup.CpuLimit;
import java.util.List;
import java.util.Optional;

/** Checks if a CPU limit stops threads while they receive answers from S3. */
public record CpuLimitCheck(Machine machine) implements Check {
  /** The share of throttled periods from which a CPU limit affects the slowest requests. */
  private static final double FELT = 0.05;

  @Override
  public String name() {
    return "CPU limit";
  }

  @Override
  public List<CheckOutcome> look() {
    if (machine.property("os.name").filter(os -> os.startsWith("Linux")).isEmpty()) {
      return List.of(CheckOutcome.skipped(name(), "only Linux has cgroups"));
    }
    Optional<CpuLimit> limit = new ControlGroup(machine).cpu();
    return List.of(
        limit
            .map(this::judge)
            .orElseGet(() -> CheckOutcome.pass(name(), "none: tasks may use idle CPU time")));
  }

  private CheckOutcome judge(CpuLimit limit) {
    double share = limit.periods() == 0 ? 0 : (double) limit.throttled() / limit.periods();
    String said =
        "%.2f CPUs (cgroup v%d); the limit stopped threads in %.0f %% of %,d periods, for %,d ms in all"
            .formatted(
                limit.cpus(),
                limit.version(),
                100 * share,
                limit.periods(),
                limit.throttledMillis());
    CheckOutcome outcome =
        share >= FELT
            ? CheckOutcome.warn(
                name(),
                said,
                "Remove the limit and keep the request. In Kubernetes, set resources.requests.cpu"
                    + " (spark.kubernetes.executor.request.cores), and do not set"
                    + " spark.kubernetes.executor.limit.cores. A thread that is stopped for the"
                    + " rest of a period makes the store look slow.")
            : CheckOutcome.pass(name(), said);
    return outcome
        .with("limitMillicpus", Math.round(1000 * limit.cpus()))
        .with("periods", limit.periods())
        .with("throttledPeriods", limit.throttled())
        .with("throttledMillis", limit.throttledMillis());
  }
}
