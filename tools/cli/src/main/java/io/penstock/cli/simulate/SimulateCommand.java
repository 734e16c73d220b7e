/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.cli.print.Terminal;
import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.outcome.ScenarioSummary;
import io.penstock.simulator.cluster.run.Campaign;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.Scenarios;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock simulate}: simulates whole clusters on a modelled S3 in virtual time.
 */
@Command(
    name = "simulate",
    description =
        "Simulates whole clusters on a model of S3, with Penstock's production classes. Shows how"
            + " long a job takes, and how much S3 throttles it.",
    subcommands = {TailCommand.class, ReadsCommand.class, PublishedCommand.class},
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
  private static final int SEEDS_MAX = 1_000;

  @Spec private CommandSpec spec;

  @Mixin private ScenarioOptions what;

  @Mixin private FigureOptions figures;

  @Option(names = "--list", description = "List the scenarios that come with Penstock.")
  private boolean list;

  @Option(
      names = "--show",
      paramLabel = "SCENARIO",
      description = "Print the file of a scenario, so that you can copy and edit it.")
  private String show;

  @Option(
      names = "--policy",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Rate-limiting policies: backoff, aimd, sdk-adaptive, penstock-alone (without a"
              + " driver), penstock, ideal. Default: backoff,penstock.")
  private List<String> policies = List.of();

  @Option(names = "--compare", description = "Run all policies that are listed at --policy.")
  private boolean compare;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of runs, each with another seed; the mean of the runs is shown. Default:"
              + " ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the first run; each further run adds 1. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--size",
      description = "Search for the number of executors above which the job gets no faster.")
  private boolean size;

  @Option(
      names = "--format",
      paramLabel = "FORM",
      defaultValue = "table",
      description = "table, csv or md. Default: ${DEFAULT-VALUE}.")
  private SimulationTable format;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      Scenarios.names()
          .forEach(
              name ->
                  out.println("  %-24s%s".formatted(name, Scenarios.of(name).scenario().title())));
    } else if (show != null) {
      out.print(Scenarios.textOf(show));
    } else if (size) {
      size(out);
    } else {
      simulate(out);
    }
    out.flush();
    return 0;
  }

  private void simulate(PrintWriter out) throws IOException, InterruptedException {
    if (seeds < 1 || seeds > SEEDS_MAX) {
      throw new IllegalArgumentException("--seeds must be from 1 to " + SEEDS_MAX);
    }
    List<Scenario> scenarios = what.scenarios();
    List<SendPolicy> chosen = policies();
    figures.check(scenarios, chosen);
    List<SendPolicy> simulated = new ArrayList<>(chosen);
    simulated.remove(SendPolicy.IDEAL);
    simulated.add(0, SendPolicy.IDEAL);
    AtomicInteger left = new AtomicInteger(scenarios.size() * simulated.size() * seeds);
    Terminal terminal = new Terminal(spec.commandLine().getErr());
    print(out, format.head(chosen));
    List<ScenarioSummary> rows = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      List<ClusterOutcome> outcomes =
          Campaign.run(
              runs(scenario, simulated),
              Runtime.getRuntime().availableProcessors(),
              any -> terminal.progress(left(scenario, left.decrementAndGet())));
      List<ClusterOutcome> ideals = outcomes.subList(0, seeds);
      List<ScenarioSummary> ofScenario = new ArrayList<>();
      for (SendPolicy policy : chosen) {
        int from = simulated.indexOf(policy) * seeds;
        ofScenario.add(ScenarioSummary.of(scenario, outcomes.subList(from, from + seeds), ideals));
      }
      terminal.clear();
      print(out, format.of(ofScenario));
      rows.addAll(ofScenario);
      figures.add(scenario, chosen, outcomes);
    }
    print(out, format.foot());
    figures.write(rows, seeds, terminal);
  }

  private static String left(Scenario scenario, int left) {
    return scenario.name() + ": " + left + (left == 1 ? " run" : " runs") + " left";
  }

  private static void print(PrintWriter out, String text) {
    if (!text.isEmpty()) {
      out.println(text);
      out.flush();
    }
  }

  private List<Campaign.Run> runs(Scenario scenario, List<SendPolicy> simulated) {
    List<Campaign.Run> runs = new ArrayList<>();
    for (SendPolicy policy : simulated) {
      for (int i = 0; i < seeds; i++) {
        runs.add(new Campaign.Run(scenario, policy, seed + i));
      }
    }
    return runs;
  }

  private List<SendPolicy> policies() {
    if (compare && !policies.isEmpty()) {
      throw new IllegalArgumentException("--compare is all policies; leave --policy away");
    }
    if (compare) {
      return Arrays.stream(SendPolicy.values()).toList();
    }
    return policies.isEmpty()
        ? List.of(SendPolicy.BACKOFF, SendPolicy.PENSTOCK)
        : policies.stream().map(SendPolicy::of).distinct().toList();
  }

  private void size(PrintWriter out) throws InterruptedException {
    if (policies.size() > 1 || compare) {
      throw new IllegalArgumentException("--size takes one --policy at a time");
    }
    SendPolicy policy = policies.isEmpty() ? SendPolicy.PENSTOCK : policies().get(0);
    for (Scenario scenario : what.scenarios()) {
      Terminal terminal = new Terminal(spec.commandLine().getErr());
      String table = SizingTable.of(scenario, policy, seed, terminal);
      terminal.clear();
      print(out, table);
    }
  }
}
