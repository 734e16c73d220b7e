/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.List;

/**
 * Some settings of Penstock. Found by {@link java.util.ServiceLoader}, so that a mistyped name is
 * refused whichever modules are there, and the documentation lists them all.
 */
public interface KeySource {
  List<ConfigKey<?>> keys();

  /** Names of other systems that are read beyond the keys' aliases. */
  default List<String> foreignNames() {
    return List.of();
  }
}
