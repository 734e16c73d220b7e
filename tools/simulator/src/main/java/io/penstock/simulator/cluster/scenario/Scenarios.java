/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import io.penstock.core.config.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The scenarios that are delivered with Penstock. */
public final class Scenarios {
  /** The suffix of scenario file names. */
  public static final String ENDING = ".scenario";

  private Scenarios() {}

  /** Returns the names of the scenarios in the order in which tables show them. */
  public static List<String> names() {
    return text("index").lines().filter(line -> !line.isBlank()).toList();
  }

  /**
   * Returns the text of a scenario file, including its comments.
   *
   * @throws IllegalArgumentException when there is none of that name; the message names the most
   *     similar one
   */
  public static String textOf(String name) {
    if (!names().contains(name)) {
      throw new IllegalArgumentException(
          "there is no scenario %s; did you mean %s?"
              .formatted(name, NearestName.of(name, names())));
    }
    return text(name + ENDING);
  }

  /**
   * Returns a scenario by its name.
   *
   * @throws IllegalArgumentException when there is none of that name; the message names the most
   *     similar one
   */
  public static ScenarioText of(String name) {
    return ScenarioText.parse(name, textOf(name));
  }

  private static String text(String file) {
    try (InputStream in = Scenarios.class.getResourceAsStream("scenarios/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
