/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads the answer to a GET. The answer is accepted only if it is the range that was requested.
 *
 * @param unfit receives the MD5 of a whole object that does not match its ETag
 */
record SliceReader(
    String key,
    String object,
    Range range,
    Optional<String> ifMatch,
    ContentCheck contentCheck,
    AtomicReference<Optional<String>> unfit)
    implements ResponseTransformer<GetObjectResponse, ObjectSlice> {
  /** MinIO answers {@code bytes 0--1/0} if the last bytes of an empty object are requested. */
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-(-?\\d+)/(\\d+)");

  private record Span(long start, long lengthBytes, long totalBytes) {}

  @Override
  public ObjectSlice transform(GetObjectResponse response, AbortableInputStream in)
      throws IOException {
    try {
      return read(response, in);
    } catch (IOException | RuntimeException e) {
      in.abort();
      throw e;
    }
  }

  private ObjectSlice read(GetObjectResponse response, AbortableInputStream in) throws IOException {
    Span span = spanOf(response);
    ObjectMeta meta =
        new ObjectMeta(
            key,
            span.totalBytes(),
            Answers.etag(response.eTag()),
            Optional.ofNullable(response.lastModified()).orElse(Instant.EPOCH),
            Answers.writeId(response.metadata()));
    check(span, meta);
    byte[] bytes = new byte[Math.toIntExact(span.lengthBytes())];
    int count = in.readNBytes(bytes, 0, bytes.length);
    if (count < bytes.length) {
      throw failure(
          Kind.CONNECTION_LOST,
          "the answer ended after %d of %d bytes.".formatted(count, bytes.length));
    }
    if (span.start() == 0 && span.lengthBytes() == span.totalBytes()) {
      unfit.set(contentCheck.unfit(key, response, bytes));
    }
    return new ObjectSlice(meta, span.start(), bytes);
  }

  /** Returns the range that the answer contains: the whole object if there is no Content-Range. */
  private Span spanOf(GetObjectResponse response) throws StoreException {
    String contentRange = response.contentRange();
    if (contentRange == null) {
      if (response.contentLength() == null) {
        throw failure(Kind.SERVER_ERROR, "the answer tells neither its length nor its range.");
      }
      return new Span(0, response.contentLength(), response.contentLength());
    }
    Matcher matcher = CONTENT_RANGE.matcher(contentRange);
    if (!matcher.matches()) {
      throw failure(
          Kind.SERVER_ERROR, "the answer's Content-Range is '%s'.".formatted(contentRange));
    }
    long start = Long.parseLong(matcher.group(1));
    long end = Long.parseLong(matcher.group(2)) + 1;
    return new Span(start, end - start, Long.parseLong(matcher.group(3)));
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
          "asked for %s of %d bytes, got %d bytes from %d on. Does the store ignore ranges?"
              .formatted(range, meta.sizeBytes(), span.lengthBytes(), span.start()));
    }
    if (ifMatch.isPresent() && !ifMatch.get().equals(meta.etag())) {
      throw failure(
          Kind.PRECONDITION_FAILED,
          "its ETag is %s, not %s: it was overwritten.".formatted(meta.etag(), ifMatch.get()));
    }
  }

  private StoreException failure(Kind kind, String problem) {
    return StoreException.of(kind, Operation.GET, object, problem);
  }
}
