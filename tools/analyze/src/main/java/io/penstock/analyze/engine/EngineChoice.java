/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.engine;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * An engine other than the embedded one.
 *
 * @param name of its {@link EngineProvider}
 * @param workDirectory where it keeps what it read and computed, until it is closed; empty leaves
 *     the choice to it
 * @param storeSettings how buckets are reached, by the full names of the settings; may hold secrets
 */
public record EngineChoice(
    String name, Optional<String> workDirectory, Map<String, String> storeSettings) {
  public EngineChoice {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(workDirectory, "workDirectory");
    storeSettings = Map.copyOf(storeSettings);
  }

  /** Without the settings' values. */
  @Override
  public String toString() {
    return name + " in " + workDirectory.orElse("a directory of its own");
  }
}
