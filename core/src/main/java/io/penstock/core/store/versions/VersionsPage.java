/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.versions;

import java.util.List;
import java.util.Optional;

/**
 * One page of a listing of versions.
 *
 * @param versions in UTF-8 byte order of the keys. Objects of one key come from the newest to the
 *     oldest, and so do its markers; the order between the two is not specified. The versions of a
 *     key may be on more than one page
 * @param nextToken present when there are more pages
 */
public record VersionsPage(List<ObjectVersion> versions, Optional<String> nextToken) {
  public VersionsPage {
    versions = List.copyOf(versions);
  }
}
