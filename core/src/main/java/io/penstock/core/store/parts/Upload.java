/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

import java.util.Objects;

/**
 * A multipart upload that has been created. An upload stays in the store, and costs money, until it
 * is completed or aborted.
 */
public record Upload(String key, String uploadId) {
  public Upload {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(uploadId, "uploadId");
  }
}
