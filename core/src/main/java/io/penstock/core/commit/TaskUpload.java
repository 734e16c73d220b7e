/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.PendingUpload;
import java.util.Objects;

/** One file of a task: an upload that job commit completes, in some bucket. */
public record TaskUpload(String bucket, PendingUpload pending) {
  public TaskUpload {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(pending, "pending");
  }
}
