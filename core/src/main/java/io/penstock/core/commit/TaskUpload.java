/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.PendingUpload;
import java.util.Objects;

/** One file of a task: a pending upload that the job's commit completes, and its bucket. */
public record TaskUpload(String bucket, PendingUpload pending) {
  public TaskUpload {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(pending, "pending");
  }
}
