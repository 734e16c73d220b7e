/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.engine;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The choice of an engine other than the embedded one.
 *
 * @param name the name of its {@link EngineProvider}
 * @param workDirectory the directory where the engine keeps its data until it is closed; if empty,
 *     the engine chooses one
 * @param storeSettings the settings for access to buckets, by their full names; may hold secrets
 */
public record EngineChoice(
    String name, Optional<String> workDirectory, Map<String, String> storeSettings) {
  public EngineChoice {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(workDirectory, "workDirectory");
    storeSettings = Map.copyOf(storeSettings);
  }

  /** Leaves out the values of the settings, which may be secret. */
  @Override
  public String toString() {
    return name + " in " + workDirectory.orElse("a directory of its own");
  }
}
