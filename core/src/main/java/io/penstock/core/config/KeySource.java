/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.List;

/**
 * Declares some settings of Penstock. {@link java.util.ServiceLoader} finds all sources, so a
 * mistyped name is refused whichever modules are present, and the documentation lists all settings.
 */
public interface KeySource {
  List<ConfigKey<?>> keys();

  /**
   * Returns the names of settings of other systems (such as S3A) that are read in addition to the
   * aliases of the keys.
   */
  default List<String> foreignNames() {
    return List.of();
  }
}
