/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

/** A piece of a section. */
public sealed interface Item permits TableItem, Plot {
  /** The name it is linked by, such as T2 or P1; once on a page. */
  String id();

  String title();
}
