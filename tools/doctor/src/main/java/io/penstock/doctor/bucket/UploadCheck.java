/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.Body;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Upload;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.util.Optional;

/**
 * Checks multipart uploads: creates an upload, stores a part, finds the upload in the list, and
 * aborts it.
 */
public final class UploadCheck extends WritingCheck {
  private final ObjectStore store;
  private final Scratch scratch;

  public UploadCheck(ObjectStore store, Scratch scratch) {
    super("multipart upload", scratch);
    this.store = store;
    this.scratch = scratch;
  }

  @Override
  CheckOutcome tried() throws IOException {
    Upload upload = scratch.newUpload(scratch.newKey());
    store.uploadPart(upload, 1, Body.ofBytes(new byte[1024]));
    boolean isListed;
    try {
      isListed = isListed(upload);
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      store.abortUpload(upload);
      scratch.gone(upload);
      return CheckOutcome.pass(name(), "created and aborted; listing uploads is denied");
    }
    store.abortUpload(upload);
    boolean isGone = !isListed(upload);
    if (isListed && isGone) {
      scratch.gone(upload);
      return CheckOutcome.pass(name(), "created, listed and aborted");
    }
    return isListed
        ? CheckOutcome.warn(
            name(),
            "an aborted upload is still listed",
            "Its parts may still take up space. Check how the store cleans up uploads.")
        : CheckOutcome.warn(
            name(),
            "an upload in progress is not listed",
            "Leftover uploads cannot be found on this store. Give the bucket a lifecycle rule with"
                + " AbortIncompleteMultipartUpload after a few days.");
  }

  private boolean isListed(Upload upload) throws IOException {
    // The prefix is the whole key, because MinIO supports no other prefix in this request.
    return store.listUploads(upload.key(), Optional.empty()).uploads().stream()
        .anyMatch(listed -> listed.upload().uploadId().equals(upload.uploadId()));
  }
}
