/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One page of the uploads that are in progress: neither completed nor aborted.
 *
 * @param uploads in no particular order
 * @param nextToken present when there are more pages
 */
public record UploadsPage(List<Listed> uploads, Optional<String> nextToken) {
  public UploadsPage {
    uploads = List.copyOf(uploads);
  }

  /**
   * An upload in progress.
   *
   * @param initiated when it was created, by the store's clock; the epoch if the store sent no time
   */
  public record Listed(Upload upload, Instant initiated) {}
}
