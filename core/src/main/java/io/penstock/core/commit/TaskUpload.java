/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.PendingUpload;
import java.util.Objects;

/** A file whose parts are in the store; the job's commit completes its upload. */
public record TaskUpload(String bucket, PendingUpload pending) implements TaskFile {
  public TaskUpload {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(pending, "pending");
  }

  @Override
  public String key() {
    return pending.key();
  }

  @Override
  public long sizeBytes() {
    return pending.sizeBytes();
  }
}
