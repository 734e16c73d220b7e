/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.util.List;
import java.util.Optional;

/**
 * One page of a listing. Objects and groups are each in UTF-8 byte order. A page may have no
 * entries and still have a next page.
 *
 * @param objects without their write ids
 * @param groups the common prefixes, each ending with the delimiter
 * @param nextToken present when there are more pages
 */
public record ListPage(List<ObjectMeta> objects, List<String> groups, Optional<String> nextToken) {
  public ListPage {
    objects = List.copyOf(objects);
    groups = List.copyOf(groups);
  }

  public boolean isEmpty() {
    return objects.isEmpty() && groups.isEmpty();
  }
}
