/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.core.config.NearestName;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.ScenarioKey;
import io.penstock.simulator.cluster.scenario.ScenarioText;
import io.penstock.simulator.cluster.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select the scenarios, policies and seeds to simulate. */
final class ScenarioOptions {
  @Parameters(
      paramLabel = "SCENARIO",
      description = "Scenarios to run: names from --list, or scenario files. Default: row9-10.")
  private List<String> names = List.of();

  @Option(names = "--all", description = "Run all scenarios that --list shows.")
  private boolean all;

  @Option(names = "--executors", paramLabel = "N", description = "Number of executors.")
  private String executors;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Number of tasks that each executor runs at the same time.")
  private String cores;

  @Option(names = "--files", paramLabel = "N", description = "Number of files that the job writes.")
  private String files;

  @Option(
      names = "--file-size",
      paramLabel = "SIZE",
      description = "Size of each file, for example 5.2M or 1G.")
  private String fileSize;

  @Option(
      names = "--prefixes",
      paramLabel = "N",
      description = "Number of prefixes that the job writes to; each prefix is one S3 partition.")
  private String prefixes;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set any other key of a scenario file; may be repeated.")
  private List<String> settings = List.of();

  List<Scenario> scenarios() {
    if (all && !names.isEmpty()) {
      throw new IllegalArgumentException("--all runs every scenario; do not also name scenarios");
    }
    Map<ScenarioKey, String> changes = changes();
    List<String> chosen = all ? Scenarios.names() : names.isEmpty() ? List.of("row9-10") : names;
    return chosen.stream().map(name -> scenario(name, changes)).toList();
  }

  private static Scenario scenario(String name, Map<ScenarioKey, String> changes) {
    ScenarioText text = text(name);
    for (Map.Entry<ScenarioKey, String> change : changes.entrySet()) {
      text = text.with(change.getKey(), change.getValue());
    }
    return changes.isEmpty() || changes.containsKey(ScenarioKey.TITLE)
        ? text.scenario()
        : text.with(ScenarioKey.TITLE, changed(text.scenario().title(), changes)).scenario();
  }

  /** Returns the title of a scenario that is not what its title says any more. */
  private static String changed(String title, Map<ScenarioKey, String> changes) {
    return changes.entrySet().stream()
        .map(change -> change.getKey().key() + "=" + change.getValue())
        .collect(Collectors.joining(", ", title + ", but ", ""));
  }

  private static ScenarioText text(String name) {
    if (Scenarios.names().contains(name)) {
      return Scenarios.of(name);
    }
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "there is no scenario and no file %s; did you mean %s? penstock simulate --list shows all"
              .formatted(name, NearestName.of(name, Scenarios.names())));
    }
    try {
      return ScenarioText.parse(stem(file), Files.readString(file));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static String stem(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(Scenarios.ENDING)
        ? name.substring(0, name.length() - Scenarios.ENDING.length())
        : name;
  }

  private Map<ScenarioKey, String> changes() {
    Map<ScenarioKey, String> changes = new EnumMap<>(ScenarioKey.class);
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("--set=" + setting + " is not KEY=VALUE");
      }
      changes.put(ScenarioKey.of(setting.substring(0, equals)), setting.substring(equals + 1));
    }
    put(changes, ScenarioKey.EXECUTORS, executors);
    put(changes, ScenarioKey.CORES, cores);
    put(changes, ScenarioKey.FILES, files);
    put(changes, ScenarioKey.FILE_SIZE, fileSize);
    put(changes, ScenarioKey.PREFIXES, prefixes);
    if (prefixes != null) {
      changes.put(ScenarioKey.PARTITIONS, "each");
    }
    return changes;
  }

  private static void put(Map<ScenarioKey, String> changes, ScenarioKey key, String value) {
    if (value != null) {
      changes.put(key, value);
    }
  }
}
