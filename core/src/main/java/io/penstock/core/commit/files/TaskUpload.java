/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import io.penstock.core.store.parts.PendingUpload;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** A file whose parts are in the store; the job's commit completes its upload. */
public record TaskUpload(String bucket, PendingUpload pending) implements TaskFile {
  public TaskUpload {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(pending, "pending");
  }

  /** Returns the uploads among the files. */
  public static List<TaskUpload> among(Collection<TaskFile> files) {
    return files.stream().filter(TaskUpload.class::isInstance).map(TaskUpload.class::cast).toList();
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
