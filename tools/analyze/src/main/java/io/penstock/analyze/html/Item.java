/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;

/** A piece of a section. */
public sealed interface Item permits TableItem, Plot {
  /** The names it is shown under and linked by: id and name are there once on a page. */
  Label label();

  default String id() {
    return label().id();
  }

  default String title() {
    return label().title();
  }
}
