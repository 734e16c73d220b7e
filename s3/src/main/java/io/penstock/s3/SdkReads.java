/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.s3.answers.Answers;
import io.penstock.s3.answers.BucketFailures;
import io.penstock.s3.answers.ContentCheck;
import io.penstock.s3.answers.NotS3Exception;
import io.penstock.s3.answers.RangeAnswer;
import io.penstock.s3.answers.RangeAnswerReader;
import io.penstock.s3.answers.SliceReader;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Reads objects and their metadata, also from stores whose answers lack something. */
public record SdkReads(
    BucketFailures failures,
    SdkRequests requests,
    RegionalClient client,
    ContentCheck contentCheck) {
  private static final ByteRange FIRST_BYTE = new ByteRange(0, 1);
  private static final String RANGE_OF_NOTHING = "bytes */0";

  ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    failures.checkPresence(Operation.GET, key);
    AtomicReference<Optional<String>> unfit = new AtomicReference<>(Optional.empty());
    ObjectSlice slice = get(key, range, ifMatch, unfit);
    Optional<String> first = unfit.getAndSet(Optional.empty());
    if (first.isEmpty()) {
      return slice;
    }
    ObjectSlice again = get(key, range, ifMatch, unfit);
    Optional<String> second = unfit.get();
    if (second.isPresent() && !second.equals(first)) {
      throw StoreException.of(
          Kind.CONNECTION_LOST,
          Operation.GET,
          failures.object(key),
          "the content was read twice and did not match the object's ETag %s either time."
              .formatted(again.meta().etag()));
    }
    if (second.isPresent()) {
      contentCheck.believe(failures.object(key), key, again.meta().etag(), second.get());
    }
    return again;
  }

  /**
   * @param unfit receives the MD5 of a whole object that does not match its ETag
   */
  private ObjectSlice get(
      String key, Range range, Optional<String> ifMatch, AtomicReference<Optional<String>> unfit)
      throws IOException {
    return send(key, range, ifMatch, expected -> new SliceReader(expected, contentCheck, unfit));
  }

  ReadResult read(String key, ByteRange range, String etag, ByteSink sink) throws IOException {
    failures.checkPresence(Operation.GET, key);
    return send(key, range, Optional.of(etag), expected -> new RangeAnswerReader(expected, sink));
  }

  /**
   * Sends a GET. A proxy that makes the ETags of its answers weak makes a store refuse them as a
   * condition although nothing was overwritten. So a refusal is checked by a request without the
   * condition. Its answer counts only if its ETag is weak and matches.
   */
  private <T> T send(
      String key,
      Range range,
      Optional<String> ifMatch,
      Function<RangeAnswer, ResponseTransformer<GetObjectResponse, T>> reader)
      throws IOException {
    RangeAnswer expected = new RangeAnswer(key, failures.object(key), range, ifMatch);
    try {
      return send(key, range, ifMatch, reader.apply(expected));
    } catch (StoreException e) {
      boolean isAnswered = e.kind() == Kind.PRECONDITION_FAILED && e.getCause() != null;
      if (!isAnswered || ifMatch.isEmpty()) {
        throw e;
      }
      try {
        return send(key, range, Optional.empty(), reader.apply(expected.ofWeakEtag()));
      } catch (StoreException second) {
        e.addSuppressed(second);
        throw e;
      }
    }
  }

  private <T> T send(
      String key,
      Range range,
      Optional<String> ifMatch,
      ResponseTransformer<GetObjectResponse, T> reader)
      throws IOException {
    return client.call(
        Operation.GET, key, s3 -> s3.getObject(requests.get(key, range, ifMatch), reader));
  }

  VersionsPage listVersions(ListRequest request) throws IOException {
    String object = failures.object(request.prefix());
    ListObjectVersionsResponse answer =
        client.call(
            Operation.LIST,
            request.prefix(),
            s3 -> s3.listObjectVersions(requests.listVersions(request)));
    if (answer.encodingType() != EncodingType.URL && !KeyLimits.fitsXml(request.prefix())) {
      throw Answers.notInXml(object);
    }
    VersionsPage page = Answers.versions(object, request, answer);
    Answers.requireProgress(object, request, page.nextToken());
    return page;
  }

  /** Reads a range of a version. Its bytes are not compared with its ETag. */
  ObjectSlice getVersion(String key, String versionId, Range range) throws IOException {
    failures.checkPresence(Operation.GET, key);
    RangeAnswer expected = new RangeAnswer(key, failures.object(key), range, Optional.empty());
    SliceReader reader =
        new SliceReader(expected, contentCheck, new AtomicReference<>(Optional.empty()));
    return client.call(
        Operation.GET, key, s3 -> s3.getObject(requests.getVersion(key, versionId, range), reader));
  }

  ObjectMeta head(String key) throws IOException {
    failures.checkPresence(Operation.HEAD, key);
    try {
      return plainHead(key);
    } catch (StoreException e) {
      return explained(e, key);
    }
  }

  private ObjectMeta plainHead(String key) throws IOException {
    HeadObjectResponse answer =
        client.call(Operation.HEAD, key, s3 -> s3.headObject(requests.head(key)));
    if (answer.lastModified() == null) {
      failures.headerEtag(Operation.HEAD, key, answer.eTag());
    }
    return answer.contentLength() == null
        ? client.call(Operation.HEAD, key, s3 -> measured(s3, key, answer))
        : Answers.head(key, answer, answer.contentLength());
  }

  /**
   * Returns the metadata of an object whose HEAD has no length, as some gateways answer that send
   * everything in chunks. The answer to a GET of one byte tells the length in its Content-Range.
   */
  private ObjectMeta measured(S3Client s3, String key, HeadObjectResponse head) {
    RangeAnswer answer = new RangeAnswer(key, failures.object(key), FIRST_BYTE, Optional.empty());
    try {
      return s3.getObject(
          requests.get(key, FIRST_BYTE, Optional.empty()),
          (response, in) -> {
            ObjectMeta meta = answer.meta(response);
            if (response.contentRange() == null) {
              in.abort(); // A store that ignores ranges sends the whole object.
            }
            return meta;
          });
    } catch (S3Exception e) {
      if (e.statusCode() != 416) {
        throw e;
      }
      if (isOfNothing(e)) {
        return Answers.head(key, head, 0);
      }
      throw new NotS3Exception(
          "does not contain the object's length, not even in the Content-Range of a GET");
    }
  }

  private static boolean isOfNothing(S3Exception refusal) {
    return refusal.awsErrorDetails() != null
        && refusal.awsErrorDetails().sdkHttpResponse() != null
        && refusal
            .awsErrorDetails()
            .sdkHttpResponse()
            .firstMatchingHeader("Content-Range")
            .filter(range -> range.strip().equals(RANGE_OF_NOTHING))
            .isPresent();
  }

  /**
   * Fails unless the object at the key has this ETag, compared weakly.
   *
   * @throws StoreException PRECONDITION_FAILED when it has another one
   */
  void requireEtag(Operation operation, String key, String etag) throws IOException {
    ObjectMeta found = head(key);
    if (!found.isVersion(etag)) {
      throw StoreException.of(
          Kind.PRECONDITION_FAILED,
          operation,
          failures.object(key),
          "its ETag is %s, not %s.".formatted(found.etag(), etag));
    }
  }

  /** Fails if the object at the key does not meet a condition that the store ignores. */
  void require(Operation operation, String key, Condition condition) throws IOException {
    if (condition instanceof Condition.IfMatch match) {
      requireEtag(operation, key, match.etag());
    } else if (condition instanceof Condition.IfAbsent) {
      requireAbsence(operation, key);
    }
  }

  private void requireAbsence(Operation operation, String key) throws IOException {
    ObjectMeta found;
    try {
      found = head(key);
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return;
      }
      throw e;
    }
    throw StoreException.of(
        Kind.PRECONDITION_FAILED,
        operation,
        failures.object(key),
        "there is an object with the ETag %s already.".formatted(found.etag()));
  }

  /**
   * Finds the reason of a refused HEAD. The answer to a HEAD has no body and so no reason: expired
   * credentials look like a bad request. A GET of one byte is sent instead. If it is refused, its
   * answer has the reason. If it succeeds, the cause was repaired on the way, and the HEAD is sent
   * again.
   */
  private ObjectMeta explained(StoreException refusal, String key) throws IOException {
    if (refusal.kind() != Kind.INVALID_REQUEST && refusal.kind() != Kind.ACCESS_DENIED) {
      throw refusal;
    }
    try {
      get(key, FIRST_BYTE, Optional.empty());
    } catch (StoreException e) {
      if (e.kind() != Kind.RANGE_NOT_SATISFIABLE) {
        throw e;
      }
    }
    return plainHead(key);
  }
}
