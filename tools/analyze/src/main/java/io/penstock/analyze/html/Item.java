/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;

/** A part of a section: a table or a plot. */
public sealed interface Item permits TableItem, Plot {
  /**
   * Returns the label under which the item is shown and linked. Its id and name are unique on a
   * page.
   */
  Label label();

  default String id() {
    return label().id();
  }

  default String title() {
    return label().title();
  }
}
