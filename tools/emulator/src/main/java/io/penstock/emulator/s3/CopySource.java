/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range.ByteSpan;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.emulator.api.UrlText;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The source of a copy, as given by {@code x-amz-copy-source} and related headers. */
record CopySource(ObjectStore store, String key, ObjectMeta meta, boolean isSameBucket) {
  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");

  static CopySource of(BucketRequest target) throws IOException {
    String raw = target.headers().first("x-amz-copy-source").orElseThrow();
    if (raw.contains("?versionId=")) {
      throw S3Failure.notImplemented("copying a version");
    }
    String source = decoded(raw);
    int slash = source.indexOf('/');
    if (slash <= 0 || slash == source.length() - 1) {
      throw S3Failure.invalidArgument("Copy Source must mention the source bucket and key");
    }
    String bucket = source.substring(0, slash);
    String key = source.substring(slash + 1);
    ObjectStore store = target.all().get(bucket).store();
    ObjectMeta meta = head(store, key);
    Optional<String> ifMatch = target.headers().first("x-amz-copy-source-if-match");
    if (ifMatch.isPresent() && !Conditions.matches(ifMatch.get(), meta)) {
      throw S3Failure.preconditionFailed("x-amz-copy-source-If-Match");
    }
    return new CopySource(store, key, meta, bucket.equals(target.call().bucket()));
  }

  private static String decoded(String raw) throws S3Failure {
    try {
      return UrlText.decode(raw.startsWith("/") ? raw.substring(1) : raw, false);
    } catch (IllegalArgumentException e) {
      throw S3Failure.invalidArgument("Copy Source is not URL-encoded");
    }
  }

  private static ObjectMeta head(ObjectStore store, String key) throws IOException {
    try {
      return store.head(key);
    } catch (StoreException e) {
      throw e.kind() == Kind.NO_SUCH_KEY ? S3Failure.noSuchKey(key) : e;
    }
  }

  Optional<String> etag() {
    return Optional.of(meta.etag());
  }

  /**
   * Returns the bytes of {@code x-amz-copy-source-range}, or all bytes when there is no such
   * header. The span is empty when the source is empty.
   */
  ByteSpan span(Optional<String> field) throws S3Failure {
    if (field.isEmpty()) {
      return new ByteSpan(0, meta.sizeBytes());
    }
    Matcher matcher = RANGE.matcher(field.get());
    long start = matcher.matches() ? Long.parseLong(matcher.group(1)) : 1;
    long end = matcher.matches() ? Long.parseLong(matcher.group(2)) + 1 : 0;
    if (end <= start) {
      throw S3Failure.invalidArgument(
          "The x-amz-copy-source-range value must be of the form bytes=first-last");
    }
    if (end > meta.sizeBytes()) {
      throw S3Failure.invalidArgument(
          "Range specified is not valid for source object of size: " + meta.sizeBytes());
    }
    return new ByteSpan(start, end);
  }
}
