/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.engine;

import java.io.IOException;
import java.util.ServiceLoader;

/** Opens engines that run elsewhere than in this module; found by Java's ServiceLoader. */
public interface EngineProvider {
  /** Returns it as people choose it. */
  String name();

  Engine open(EngineChoice choice) throws IOException;

  /**
   * Opens the engine that was chosen.
   *
   * @throws IllegalArgumentException when nothing on the class path provides it
   */
  static Engine engine(EngineChoice choice) throws IOException {
    ClassLoader loader = EngineProvider.class.getClassLoader();
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class, loader)) {
      if (provider.name().equals(choice.name())) {
        return provider.open(choice);
      }
    }
    throw new IllegalArgumentException("there is no engine " + choice.name() + " here");
  }
}
