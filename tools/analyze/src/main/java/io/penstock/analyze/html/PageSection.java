/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;

/** A part of the page with its own heading. */
public record PageSection(String title, String text, List<Item> items) {
  public PageSection {
    items = List.copyOf(items);
  }
}
