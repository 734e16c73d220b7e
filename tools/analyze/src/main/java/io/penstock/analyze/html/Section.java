/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;

/** A part of the page with its own heading. */
public record Section(String title, String text, List<Item> items) {
  public Section {
    items = List.copyOf(items);
  }
}
