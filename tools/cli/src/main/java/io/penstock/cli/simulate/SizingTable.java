/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.cli.print.Terminal;
import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.outcome.Sizing;
import io.penstock.simulator.cluster.run.Simulation;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.util.Locale;

/** Formats the number of executors that a prefix can support. */
final class SizingTable {
  private SizingTable() {}

  static String of(Scenario scenario, SendPolicy policy, long seed, Terminal terminal) {
    Sizing sizing =
        new Sizing(
            executors -> {
              terminal.progress(scenario.name() + ": " + executors + " executors");
              return new Simulation(scenario.on(executors), policy, seed).run();
            });
    int enough = sizing.enough();
    AlignedRows table = new AlignedRows("executors", "threads", "time s", "writes %", "limited %");
    sizing
        .tried()
        .forEach(
            (executors, run) ->
                table.row(
                    executors + (executors == enough ? " *" : ""),
                    Values.count((long) executors * scenario.job().cores()),
                    number("%.1f", run.seconds()),
                    number("%.2f", 100 * run.throttledShareOfMain()),
                    number("%.0f", 100 * Sizing.limitedShare(run))));
    return "%s: %s; policy %s, seed %d\n\n%s\n%s"
        .formatted(
            scenario.name(),
            scenario.title(),
            policy.slug(),
            seed,
            table,
            verdict(scenario, enough, sizing.tried().get(sizing.tried().lastKey())));
  }

  private static String verdict(Scenario scenario, int enough, ClusterOutcome withMore) {
    String limit =
        Sizing.limitedShare(withMore) >= 0.2
            ? "S3 takes no more requests from it."
            : "its %,d tasks, not S3, are what holds it.".formatted(scenario.job().tasks());
    return "  * %,d executors of %d cores: with more the job gets no faster (within 5 %%);\n    %s\n"
            .formatted(enough, scenario.job().cores(), limit)
        + "  limited %: share of its seconds in which requests were throttled or waited.";
  }

  private static String number(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }
}
