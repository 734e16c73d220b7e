/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.List;

/**
 * Declares some settings of Penstock. All sources but the store's stand in the core, so every
 * program knows the same names: a mistyped one is refused, and the documentation lists them all.
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
