/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.engine;

import java.io.IOException;
import java.util.ServiceLoader;

/**
 * Opens an engine that runs outside this module. Java's ServiceLoader finds the implementations.
 */
public interface EngineProvider {
  /** Returns the name by which users choose the engine. */
  String name();

  /**
   * Opens the engine; the caller closes it.
   *
   * @throws IOException when it does not start
   */
  QueryEngine open(EngineChoice choice) throws IOException;

  /**
   * Opens the chosen engine. The caller closes it.
   *
   * @throws IllegalArgumentException if no provider on the class path has this name
   * @throws IOException when it does not start
   */
  static QueryEngine engine(EngineChoice choice) throws IOException {
    ClassLoader loader = EngineProvider.class.getClassLoader();
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class, loader)) {
      if (provider.name().equals(choice.name())) {
        return provider.open(choice);
      }
    }
    throw new IllegalArgumentException("there is no engine " + choice.name() + " here");
  }
}
