/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;

/** A part of the page under a heading of its own. */
public record Section(String title, String text, List<Item> items) {
  public Section {
    items = List.copyOf(items);
  }
}
