/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One page of the uploads that are in progress: neither completed nor aborted.
 *
 * @param nextToken present when there are more pages
 */
public record UploadsPage(List<Listed> uploads, Optional<String> nextToken) {
  public UploadsPage {
    uploads = List.copyOf(uploads);
  }

  public record Listed(Upload upload, Instant initiated) {}
}
