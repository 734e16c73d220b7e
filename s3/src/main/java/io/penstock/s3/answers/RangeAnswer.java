/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Checks the answers to a GET. An answer is accepted only if it is the range that was requested.
 *
 * @param object the name of the object in messages
 * @param ifMatch the ETag of the version; compared weakly
 * @param mustBeWeak whether only an answer with a weak ETag is accepted
 */
public record RangeAnswer(
    String key, String object, Range range, Optional<String> ifMatch, boolean mustBeWeak) {
  /**
   * If the last bytes of an empty object are requested, MinIO answers {@code bytes 0--1/0}, and
   * Garage the same with -1 as an unsigned number.
   */
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-(-?\\d+)/(\\d+)");

  private static final String MINUS_ONE = Long.toUnsignedString(-1);

  public RangeAnswer(String key, String object, Range range, Optional<String> ifMatch) {
    this(key, object, range, ifMatch, false);
  }

  /** The range that an answer contains, of an object of so many bytes in total. */
  private record Span(long start, long lengthBytes, long totalBytes) {}

  /** The head of an accepted answer. */
  record Accepted(ObjectMeta meta, long start, long lengthBytes) {
    boolean isWhole() {
      return start == 0 && lengthBytes == meta.sizeBytes();
    }
  }

  /** Returns the same, for an answer whose ETag must be weak. */
  public RangeAnswer ofWeakEtag() {
    return new RangeAnswer(key, object, range, ifMatch, true);
  }

  /**
   * Returns what an answer contains.
   *
   * @throws StoreException when it is not what was requested
   */
  Accepted accept(GetObjectResponse response) throws StoreException {
    Span span = spanOf(response);
    ObjectMeta meta = metaOf(response, span);
    check(span, meta);
    return new Accepted(meta, span.start(), span.lengthBytes());
  }

  /** Returns the metadata of the object, whatever the range that the answer contains. */
  public ObjectMeta meta(GetObjectResponse response) throws StoreException {
    return metaOf(response, spanOf(response));
  }

  private ObjectMeta metaOf(GetObjectResponse response, Span span) throws StoreException {
    boolean isOfTime = ifMatch.isPresent() && Etags.isOfTime(ifMatch.get());
    String sent = isOfTime ? null : response.eTag();
    String etag = Answers.etag(sent, response.lastModified(), span.totalBytes());
    boolean isLost = ifMatch.isPresent() && !isOfTime && Etags.isOfTime(etag);
    if (etag.isEmpty() || isLost) {
      throw BucketFailures.withoutEtag(Operation.GET, object);
    }
    return new ObjectMeta(
        key,
        span.totalBytes(),
        etag,
        Optional.ofNullable(response.lastModified()).orElse(Instant.EPOCH),
        Answers.writeId(response.metadata()),
        Answers.user(response.metadata()));
  }

  /** Returns the failure of an answer that ended too soon. */
  StoreException ended(long count, Accepted accepted) {
    return failure(
        Kind.CONNECTION_LOST,
        "the answer ended after %d of %d bytes.".formatted(count, accepted.lengthBytes()));
  }

  /** Returns the range that the answer contains: the whole object if there is no Content-Range. */
  private Span spanOf(GetObjectResponse response) throws StoreException {
    String contentRange = response.contentRange();
    if (contentRange == null) {
      if (response.contentLength() == null) {
        throw failure(Kind.NOT_S3, "the answer contains neither its length nor its range.");
      }
      return new Span(0, response.contentLength(), response.contentLength());
    }
    Matcher matcher = CONTENT_RANGE.matcher(contentRange);
    if (matcher.matches()) {
      try {
        long start = Long.parseLong(matcher.group(1));
        long last = matcher.group(2).equals(MINUS_ONE) ? -1 : Long.parseLong(matcher.group(2));
        return new Span(start, last + 1 - start, Long.parseLong(matcher.group(3)));
      } catch (NumberFormatException e) {
        // More than 2^63: invalid as well.
      }
    }
    throw failure(
        Kind.SERVER_ERROR,
        "the answer has the invalid Content-Range '%s'.".formatted(contentRange));
  }

  private void check(Span span, ObjectMeta meta) throws StoreException {
    Range.ByteSpan expected = range.within(meta.sizeBytes());
    if (expected.isEmpty()) {
      // Some stores answer 200 to a range of an empty object.
      throw failure(
          Kind.RANGE_NOT_SATISFIABLE, "%s of %d bytes.".formatted(range, meta.sizeBytes()));
    }
    if (span.start() != expected.start() || span.lengthBytes() != expected.lengthBytes()) {
      throw failure(
          Kind.SERVER_ERROR,
          "the request asked for %s of %d bytes, but the answer has %d bytes from byte %d on. Does the store ignore ranges?"
              .formatted(range, meta.sizeBytes(), span.lengthBytes(), span.start()));
    }
    boolean isSame = ifMatch.isEmpty() || Etags.match(ifMatch.get(), meta.etag());
    if (!isSame || (mustBeWeak && !Etags.isWeak(meta.etag()))) {
      throw failure(
          Kind.PRECONDITION_FAILED,
          "the object's ETag is %s, not %s: the object was overwritten."
              .formatted(meta.etag(), ifMatch.orElse("")));
    }
  }

  private StoreException failure(Kind kind, String problem) {
    return StoreException.of(kind, Operation.GET, object, problem);
  }
}
