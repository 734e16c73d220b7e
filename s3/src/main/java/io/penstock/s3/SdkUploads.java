/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.meta.UserMetadata;
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
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** Creates, completes, aborts and lists uploads of several parts. */
record SdkUploads(
    BucketFailures failures,
    SdkRequests requests,
    RegionalClient client,
    SdkReads reads,
    BodyChecksums checksums,
    ConditionalWrites conditionalWrites,
    DemandedConditions demanded) {
  Upload create(String key, Optional<String> writeId, UserMetadata user) throws IOException {
    failures.checkKey(Operation.CREATE_UPLOAD, key);
    var answer =
        checksums.create(
            declared ->
                client.call(
                    Operation.CREATE_UPLOAD,
                    key,
                    s3 -> s3.createMultipartUpload(requests.create(key, writeId, user, declared))));
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
      Condition sent = condition;
      if (conditionalWrites.isIgnoredByComplete(failures.bucket(), condition)) {
        reads.require(Operation.COMPLETE_UPLOAD, pending.key(), condition);
        sent = Condition.NONE;
      }
      return etagOf(
          pending, condition.equals(Condition.NONE) ? replacing(pending) : send(pending, sent));
    } catch (StoreException e) {
      throw failures.missingForIfMatch(ofMissingUpload(e, pending), pending.key(), condition);
    }
  }

  private CompleteMultipartUploadResponse replacing(PendingUpload pending) throws IOException {
    return demanded.write(
        Operation.COMPLETE_UPLOAD,
        pending.key(),
        Condition.NONE,
        under -> {
          try {
            return send(pending, under);
          } catch (StoreException e) {
            throw failures.missingForIfMatch(e, pending.key(), under);
          }
        });
  }

  private CompleteMultipartUploadResponse send(PendingUpload pending, Condition condition)
      throws IOException {
    return checksums.complete(
        repeats -> send(pending, condition, repeats ? partChecksums(pending) : Map.of()));
  }

  /** Returns the object's ETag. Ceph's answer may lack it; then the object tells. */
  private String etagOf(PendingUpload pending, CompleteMultipartUploadResponse answer)
      throws IOException {
    try {
      return failures.etag(Operation.COMPLETE_UPLOAD, pending.key(), answer.eTag());
    } catch (StoreException lacking) {
      return madeOf(pending, lacking).orElseThrow(() -> lacking);
    }
  }

  /** Returns the ETag of the object at the key if it proves that the upload made it. */
  private Optional<String> madeOf(PendingUpload pending, StoreException failure) {
    try {
      ObjectMeta found = reads.head(pending.key());
      boolean isOurs =
          (pending.writeId().isPresent() && found.writeId().equals(pending.writeId()))
              || Etags.isOfParts(found.etag(), pending.parts());
      return isOurs ? Optional.of(found.etag()) : Optional.empty();
    } catch (IOException e) {
      failure.addSuppressed(e);
      return Optional.empty();
    }
  }

  /**
   * Returns the failure to throw. Ceph answers a Complete of an upload that does not exist as if
   * another Complete were in progress, with a server error, which would be retried for long.
   */
  private StoreException ofMissingUpload(StoreException failure, PendingUpload pending) {
    if (failure.kind() != Kind.SERVER_ERROR || !failure.problem().contains("already in progress")) {
      return failure;
    }
    try {
      listedParts(pending.upload(), Optional.empty());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_UPLOAD) {
        return e;
      }
      failure.addSuppressed(e);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private CompleteMultipartUploadResponse send(
      PendingUpload pending, Condition condition, Map<Integer, CompletedPart> partChecksums)
      throws IOException {
    boolean isBare = conditionalWrites.isBare(failures.bucket(), condition);
    return client.call(
        Operation.COMPLETE_UPLOAD,
        pending.key(),
        s3 ->
            s3.completeMultipartUpload(
                requests.complete(pending, condition, isBare, partChecksums)));
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
    ListMultipartUploadsResponse answer = listed(prefix, token, Optional.of(EncodingType.URL));
    if (answer.encodingType() == null && mayBeEncoded(answer)) {
      // Ceph encodes the keys and does not say so.
      answer = listed(prefix, token, Optional.empty());
    }
    return Answers.uploads(failures.object(prefix), answer);
  }

  private static boolean mayBeEncoded(ListMultipartUploadsResponse answer) {
    return Stream.concat(
            Stream.ofNullable(answer.nextKeyMarker()),
            answer.uploads().stream().map(MultipartUpload::key))
        .anyMatch(key -> key.contains("%"));
  }

  private ListMultipartUploadsResponse listed(
      String prefix, Optional<String> token, Optional<EncodingType> names) throws IOException {
    return client.call(
        Operation.LIST_UPLOADS,
        prefix,
        s3 -> s3.listMultipartUploads(requests.listUploads(prefix, token, names)));
  }

  PartsPage parts(Upload upload, Optional<String> token) throws IOException {
    return Answers.parts(failures.object(upload.key()), listedParts(upload, token));
  }

  private ListPartsResponse listedParts(Upload upload, Optional<String> token) throws IOException {
    return client.call(
        Operation.LIST_PARTS, upload.key(), s3 -> s3.listParts(requests.listParts(upload, token)));
  }
}
