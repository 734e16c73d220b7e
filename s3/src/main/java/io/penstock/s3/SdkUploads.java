/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.s3.answers.Answers;
import io.penstock.s3.answers.BucketFailures;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;

/** Creates, completes, aborts and lists uploads of several parts. */
record SdkUploads(
    BucketFailures failures,
    SdkRequests requests,
    RegionalClient client,
    SdkReads reads,
    BodyChecksums checksums,
    ConditionalWrites conditionalWrites) {
  Upload create(String key, Optional<String> writeId) throws IOException {
    failures.checkKey(Operation.CREATE_UPLOAD, key);
    var answer =
        checksums.create(
            declared ->
                client.call(
                    Operation.CREATE_UPLOAD,
                    key,
                    s3 -> s3.createMultipartUpload(requests.create(key, writeId, declared))));
    if (answer.uploadId() == null) {
      throw StoreException.of(
          Kind.CONNECTION_LOST,
          Operation.CREATE_UPLOAD,
          failures.object(key),
          "the answer carries no upload id.");
    }
    return new Upload(key, answer.uploadId());
  }

  String complete(PendingUpload pending, Condition condition) throws IOException {
    failures.checkCondition(Operation.COMPLETE_UPLOAD, pending.key(), condition);
    try {
      if (conditionalWrites.areIgnoredByComplete(failures.bucket())) {
        reads.require(Operation.COMPLETE_UPLOAD, pending.key(), condition);
      }
      var answer =
          checksums.complete(
              repeats -> send(pending, condition, repeats ? partChecksums(pending) : Map.of()));
      return etagOf(pending, answer);
    } catch (StoreException e) {
      requireUpload(pending, e);
      throw failures.missingForIfMatch(e, pending.key(), condition);
    }
  }

  /** Returns the object's ETag. Ceph's answer may lack it; then the object tells. */
  private String etagOf(PendingUpload pending, CompleteMultipartUploadResponse answer)
      throws IOException {
    try {
      return failures.etag(Operation.COMPLETE_UPLOAD, pending.key(), answer.eTag());
    } catch (StoreException lacking) {
      String found = etagOrNone(pending.key(), lacking);
      if (!Etags.isOfParts(found, pending.parts())) {
        throw lacking;
      }
      return found;
    }
  }

  private String etagOrNone(String key, StoreException failure) {
    try {
      return reads.head(key).etag();
    } catch (IOException e) {
      failure.addSuppressed(e);
      return "";
    }
  }

  /**
   * Fails if the upload does not exist. Ceph answers a Complete of such an upload as if another one
   * were in progress, with a server error, which would be retried for long.
   */
  private void requireUpload(PendingUpload pending, StoreException failure) throws IOException {
    if (failure.kind() == Kind.SERVER_ERROR && failure.problem().contains("already in progress")) {
      listedParts(pending.upload(), Optional.empty());
    }
  }

  private CompleteMultipartUploadResponse send(
      PendingUpload pending, Condition condition, Map<Integer, CompletedPart> partChecksums)
      throws IOException {
    return client.call(
        Operation.COMPLETE_UPLOAD,
        pending.key(),
        s3 -> s3.completeMultipartUpload(requests.complete(pending, condition, partChecksums)));
  }

  private Map<Integer, CompletedPart> partChecksums(PendingUpload pending) throws IOException {
    Map<Integer, CompletedPart> found = new HashMap<>();
    Optional<String> token = Optional.empty();
    do {
      ListPartsResponse page = listedParts(pending.upload(), token);
      found.putAll(Answers.checksums(page));
      token = Answers.parts(failures.object(pending.key()), page).nextToken();
    } while (token.isPresent());
    return found;
  }

  void abort(Upload upload) throws IOException {
    try {
      client.call(
          Operation.ABORT_UPLOAD,
          upload.key(),
          s3 -> s3.abortMultipartUpload(requests.abort(upload)));
    } catch (StoreException e) {
      if (e.kind() != Kind.NO_SUCH_UPLOAD) {
        throw e;
      }
    }
  }

  UploadsPage list(String prefix, Optional<String> token) throws IOException {
    return Answers.uploads(
        failures.object(prefix),
        client.call(
            Operation.LIST_UPLOADS,
            prefix,
            s3 ->
                SdkRequests.encoded(
                    names -> s3.listMultipartUploads(requests.listUploads(prefix, token, names)))));
  }

  PartsPage parts(Upload upload, Optional<String> token) throws IOException {
    return Answers.parts(failures.object(upload.key()), listedParts(upload, token));
  }

  private ListPartsResponse listedParts(Upload upload, Optional<String> token) throws IOException {
    return client.call(
        Operation.LIST_PARTS, upload.key(), s3 -> s3.listParts(requests.listParts(upload, token)));
  }
}
