/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.cli.print.Terminal;
import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.run.Campaign;
import io.penstock.simulator.cluster.scenario.PublishedJob;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock simulate published}: compares the model with the ten published runs.
 */
@Command(
    name = "published",
    description =
        "Simulates the ten runs of the published benchmark of EMRFS's AIMD with one set of"
            + " constants, and shows how far the model is from each run.",
    mixinStandardHelpOptions = true)
final class PublishedCommand implements Callable<Integer> {
  private static final List<SendPolicy> POLICIES =
      List.of(SendPolicy.BACKOFF, SendPolicy.AIMD, SendPolicy.PENSTOCK);

  @Spec private CommandSpec spec;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed; the same seed gives the same output. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() throws InterruptedException {
    List<Campaign.Run> runs = new ArrayList<>();
    for (PublishedJob job : PublishedJob.ALL) {
      Scenario scenario = job.fitted();
      POLICIES.forEach(policy -> runs.add(new Campaign.Run(scenario, policy, seed)));
    }
    Terminal terminal = new Terminal(spec.commandLine().getErr());
    AtomicInteger left = new AtomicInteger(runs.size());
    List<ClusterOutcome> outcomes =
        Campaign.run(
            runs,
            Runtime.getRuntime().availableProcessors(),
            any -> terminal.progress("runs left: " + left.decrementAndGet()));
    terminal.clear();
    print(outcomes);
    return 0;
  }

  private void print(List<ClusterOutcome> outcomes) {
    AlignedRows table =
        new AlignedRows(
            "job", "policy", "time s", "published", "diff %", "thr. %", "published", "points");
    for (int i = 0; i < outcomes.size(); i++) {
      PublishedJob job = PublishedJob.ALL.get(i / POLICIES.size());
      table.row(row(job, outcomes.get(i)));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(table);
    out.println();
    out.println("  thr. %: throttled share of the writes. *: the model was fitted to this run.");
    out.flush();
  }

  private static String[] row(PublishedJob job, ClusterOutcome outcome) {
    double seconds = outcome.seconds();
    double throttled = 100 * outcome.throttledShareOfWrites();
    String[] simulated = {
      outcome.scenario(),
      outcome.policy().slug(),
      decimals("%.0f", seconds),
      "-",
      "-",
      decimals("%.2f", throttled),
      "-",
      "-"
    };
    if (outcome.policy() == SendPolicy.PENSTOCK) {
      return simulated;
    }
    PublishedJob.Run run = outcome.policy() == SendPolicy.AIMD ? job.aimd() : job.backoff();
    simulated[3] = Values.count(Math.round(run.seconds())) + (run.isFitted() ? " *" : "");
    simulated[4] = decimals("%+.0f", 100 * (seconds / run.seconds() - 1));
    simulated[6] = decimals("%.2f", 100 * run.throttled());
    simulated[7] = decimals("%+.2f", throttled - 100 * run.throttled());
    return simulated;
  }

  private static String decimals(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
