/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

import java.util.List;
import java.util.Optional;

/**
 * One page of the parts of an upload that are in the store, sorted by number.
 *
 * @param nextToken present when there are more pages
 */
public record PartsPage(List<Part> parts, Optional<String> nextToken) {
  public PartsPage {
    parts = List.copyOf(parts);
  }
}
