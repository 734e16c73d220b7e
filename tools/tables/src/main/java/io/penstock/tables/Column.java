/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

import java.util.Objects;

/** A named column of a {@link Table}. */
public record Column(String name, Kind kind) {
  public Column {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
  }
}
