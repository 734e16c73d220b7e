/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.cli.print.Terminal;
import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.outcome.ScenarioSummary;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import io.penstock.simulator.figure.FigurePage;
import io.penstock.simulator.figure.Png;
import io.penstock.simulator.figure.RunFigure;
import io.penstock.simulator.figure.Svg;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that select the files for figures. */
final class FigureOptions {
  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the figures and the table as one HTML file without scripts.")
  private Path html;

  @Option(names = "--svg", paramLabel = "DIR", description = "Write each figure as SVG.")
  private Path svg;

  @Option(names = "--png", paramLabel = "DIR", description = "Write each figure as PNG.")
  private Path png;

  private final Map<String, RunFigure> made = new LinkedHashMap<>();

  private boolean isAsked() {
    return html != null || svg != null || png != null;
  }

  /** Checks before the simulation that the figures can be written after it. */
  void check(List<Scenario> scenarios, List<SendPolicy> policies) {
    if (isAsked() && scenarios.stream().map(Scenario::name).distinct().count() < scenarios.size()) {
      throw new IllegalArgumentException("two scenarios of one name would share their figures");
    }
    if (isAsked() && policies.isEmpty()) {
      throw new IllegalArgumentException("figures need a --policy");
    }
  }

  /** Adds figures of the first seed of each policy. */
  void add(Scenario scenario, List<SendPolicy> policies, List<ClusterOutcome> outcomes) {
    if (!isAsked()) {
      return;
    }
    List<ClusterOutcome> runs = new ArrayList<>();
    for (SendPolicy policy : policies) {
      runs.add(outcomes.stream().filter(run -> run.policy() == policy).findFirst().orElseThrow());
    }
    List<RunFigure> figures = RunFigure.of(scenario, runs);
    for (int i = 0; i < figures.size(); i++) {
      ClusterOutcome run = runs.get(i);
      made.put(scenario.name() + "-" + run.policy().slug() + "-seed" + run.seed(), figures.get(i));
    }
  }

  void write(List<ScenarioSummary> rows, int seeds, Terminal terminal) throws IOException {
    if (html != null) {
      String title = "Requests and throttles a second";
      String page = FigurePage.of(title, List.copyOf(made.values()), rows, seeds);
      write(html, page.getBytes(StandardCharsets.UTF_8), terminal);
    }
    for (Map.Entry<String, RunFigure> figure : made.entrySet()) {
      if (svg != null) {
        byte[] bytes = Svg.file(figure.getValue()).getBytes(StandardCharsets.UTF_8);
        write(svg.resolve(figure.getKey() + ".svg"), bytes, terminal);
      }
      if (png != null) {
        write(png.resolve(figure.getKey() + ".png"), Png.file(figure.getValue()), terminal);
      }
    }
  }

  private static void write(Path file, byte[] bytes, Terminal terminal) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Files.write(file, bytes);
    terminal.done("wrote " + file);
  }
}
