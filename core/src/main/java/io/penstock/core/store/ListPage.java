/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One page of a listing. Objects and groups are each in UTF-8 byte order. A page may have no
 * entries and still have a next page.
 *
 * @param objects without their write ids
 * @param groups the common prefixes, each ending with the delimiter
 * @param nextToken present when there are more pages
 * @param servedAt the store's time when it made the page, by the store's own clock; to the second
 *     on most stores, and empty if the store does not tell
 */
public record ListPage(
    List<ObjectMeta> objects,
    List<String> groups,
    Optional<String> nextToken,
    Optional<Instant> servedAt) {
  public ListPage {
    objects = List.copyOf(objects);
    groups = List.copyOf(groups);
  }

  /** Makes a page that does not tell the store's time. */
  public ListPage(List<ObjectMeta> objects, List<String> groups, Optional<String> nextToken) {
    this(objects, groups, nextToken, Optional.empty());
  }

  public boolean isEmpty() {
    return objects.isEmpty() && groups.isEmpty();
  }
}
