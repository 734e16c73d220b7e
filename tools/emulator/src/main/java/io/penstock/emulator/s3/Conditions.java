/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.emulator.http.Headers;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The conditional headers of a request. */
final class Conditions {
  private static final String USER = "x-amz-meta-";

  static final String WRITE_ID = USER + "penstock-write";

  private Conditions() {}

  /**
   * Returns the condition of a write, with its write id if the request has one. The stores keep no
   * write id of an unconditional write.
   */
  static Condition ofWrite(Headers headers) throws S3Failure {
    Condition plain = plainOfWrite(headers);
    return headers.first(WRITE_ID).map(plain::withWriteId).orElse(plain);
  }

  /** Returns the user-defined metadata of a write, without the write id. */
  static UserMetadata userOfWrite(Headers headers) {
    SortedMap<String, String> user = new TreeMap<>();
    for (Headers.Field field : headers.fields()) {
      String name = field.name().toLowerCase(Locale.ROOT);
      if (name.startsWith(USER) && !name.equals(WRITE_ID)) {
        user.put(name.substring(USER.length()), field.value());
      }
    }
    return new UserMetadata(user);
  }

  static void addUser(UserMetadata user, Headers answer) {
    user.values().forEach((name, value) -> answer.add(USER + name, value));
  }

  private static Condition plainOfWrite(Headers headers) throws S3Failure {
    Optional<String> ifNoneMatch = headers.first("If-None-Match");
    Optional<String> ifMatch = headers.first("If-Match");
    if (ifNoneMatch.isPresent() && ifMatch.isPresent()) {
      throw S3Failure.notImplemented("If-Match together with If-None-Match");
    }
    if (ifNoneMatch.isPresent()) {
      if (!ifNoneMatch.get().equals("*")) {
        throw S3Failure.notImplemented("If-None-Match of a write with anything but *");
      }
      return Condition.IF_ABSENT;
    }
    return ifMatch.map(etag -> Condition.ifMatch(unquoted(etag))).orElse(Condition.NONE);
  }

  /**
   * Returns the condition of a deletion. That there is any object ({@code *}) is as good as none,
   * since it is no failure here if there is nothing to delete.
   */
  static Condition ofDeletion(Optional<String> ifMatch) {
    return ifMatch
        .filter(etag -> !etag.strip().equals("*"))
        .map(etag -> Condition.ifMatch(unquoted(etag)))
        .orElse(Condition.NONE);
  }

  /**
   * Returns the failure to report for a conditional write. S3 answers If-Match on a missing key
   * with 404, not 412.
   */
  static IOException explain(
      StoreException failure, ObjectStore store, String key, Condition condition)
      throws IOException {
    if (failure.kind() != Kind.PRECONDITION_FAILED) {
      return failure;
    }
    if (condition instanceof Condition.IfMatch && !exists(store, key)) {
      return S3Failure.noSuchKey(key);
    }
    return S3Failure.preconditionFailed(
        condition instanceof Condition.IfAbsent ? "If-None-Match" : "If-Match");
  }

  /**
   * Fails if the object at the key does not meet the condition of a copy. This is not atomic with
   * the copy, as the store interface has no conditional copies.
   */
  static void require(Condition condition, ObjectStore store, String key) throws IOException {
    if (condition.equals(Condition.NONE)) {
      return;
    }
    Optional<String> etag;
    try {
      etag = Optional.of(store.head(key).etag());
    } catch (StoreException e) {
      if (e.kind() != Kind.NO_SUCH_KEY) {
        throw e;
      }
      etag = Optional.empty();
    }
    if (condition instanceof Condition.IfAbsent && etag.isPresent()) {
      throw S3Failure.preconditionFailed("If-None-Match");
    }
    if (condition instanceof Condition.IfMatch match) {
      if (etag.isEmpty()) {
        throw S3Failure.noSuchKey(key);
      }
      if (!etag.get().equals(match.etag())) {
        throw S3Failure.preconditionFailed("If-Match");
      }
    }
  }

  private static boolean exists(ObjectStore store, String key) throws IOException {
    try {
      store.head(key);
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
  }

  /** Returns true if the read may continue, false if the response is a 304. */
  static boolean holdForRead(Headers headers, ObjectMeta meta) throws S3Failure {
    Optional<String> ifMatch = headers.first("If-Match");
    if (ifMatch.isPresent() && !matches(ifMatch.get(), meta)) {
      throw S3Failure.preconditionFailed("If-Match");
    }
    Optional<String> ifNoneMatch = headers.first("If-None-Match");
    return ifNoneMatch.isEmpty() || !matches(ifNoneMatch.get(), meta);
  }

  static boolean matches(String etags, ObjectMeta meta) {
    for (String etag : etags.split(",", -1)) {
      if (etag.strip().equals("*") || unquoted(etag).equals(meta.etag())) {
        return true;
      }
    }
    return false;
  }

  static String unquoted(String etag) {
    String text = etag.strip();
    return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1)
        : text;
  }
}
