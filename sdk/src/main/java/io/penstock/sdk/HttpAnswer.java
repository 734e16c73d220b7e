/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Attempt;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The answer to one attempt. Small ones are read at once, so that content which comes slowly, or
 * not to its end, is a matter of the attempt.
 *
 * @param response what the SDK gets
 * @param content its content, if that was read and is needed to understand the answer
 */
record HttpAnswer(HttpExecuteResponse response, Optional<byte[]> content) {
  /** Larger content goes through to the reader while it arrives. */
  static final int WHOLE_MAX = 8 << 20;

  /** Content of an unknown size is read up to here: the reader may want only its beginning. */
  private static final int UNASKED_MAX = 1 << 20;

  private static final int BUFFER = 64 << 10;
  private static final Pattern ERROR =
      Pattern.compile(
          "<Error\\b[^>]{0,200}>.{0,1000}?<Code>([A-Za-z]{1,80})</Code>", Pattern.DOTALL);
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  /**
   * Reads the content, if it is small.
   *
   * @param room for the content of objects, until it is read; without it, it comes as it arrives
   * @throws IOException when it does not arrive whole
   */
  static HttpAnswer of(HttpExecuteResponse response, HttpFacts facts, Attempt attempt, Room room)
      throws IOException {
    int status = response.httpResponse().statusCode();
    boolean isBare = facts.operation() == Operation.HEAD || status == 204 || status == 304;
    if (response.responseBody().isEmpty() || isBare) {
      return new HttpAnswer(response, Optional.empty());
    }
    long announced =
        response
            .httpResponse()
            .firstMatchingHeader("Content-Length")
            .map(HttpAnswer::size)
            .orElse(-1L);
    boolean isObject = facts.operation() == Operation.GET && response.httpResponse().isSuccessful();
    long most = isObject && facts.rangeBytes().isEmpty() ? UNASKED_MAX : WHOLE_MAX;
    if (announced > most || (isObject && (announced < 0 || !room.take(announced)))) {
      return new HttpAnswer(response, Optional.empty());
    }
    AbortableInputStream body = response.responseBody().get();
    if (isObject) {
      return new HttpAnswer(
          object(response, body, (int) announced, attempt, room), Optional.empty());
    }
    byte[] read = read(body, announced, attempt);
    return new HttpAnswer(with(response, new ByteArrayInputStream(read)), Optional.of(read));
  }

  private static HttpExecuteResponse object(
      HttpExecuteResponse response, InputStream body, int size, Attempt attempt, Room room)
      throws IOException {
    byte[] read = null;
    try {
      read = readExactly(body, size, attempt);
    } finally {
      if (read == null) {
        room.giveBack(size);
      }
    }
    attempt.received(size);
    return with(response, room.stream(read));
  }

  private static HttpExecuteResponse with(HttpExecuteResponse response, InputStream content) {
    return HttpExecuteResponse.builder()
        .response(response.httpResponse())
        .responseBody(AbortableInputStream.create(content))
        .build();
  }

  static long size(String header) {
    return SECONDS.matcher(header).matches() ? Long.parseLong(header) : -1;
  }

  private static byte[] read(InputStream in, long announced, Attempt attempt) throws IOException {
    return announced < 0 ? readAll(in, attempt) : readExactly(in, (int) announced, attempt);
  }

  private static byte[] readAll(InputStream in, Attempt attempt) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER];
    try (in) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        attempt.moved(count);
        read.write(buffer, 0, count);
      }
    }
    return read.toByteArray();
  }

  private static byte[] readExactly(InputStream in, int size, Attempt attempt) throws IOException {
    byte[] read = new byte[size];
    int done = 0;
    try (in) {
      while (done < size) {
        int count = in.read(read, done, size - done);
        if (count < 0) {
          throw new EOFException(
              "the answer ends after %,d bytes of content, and announced %,d"
                  .formatted(done, size));
        }
        attempt.moved(count);
        done += count;
      }
      if (in.read() >= 0) { // Also what gives the connection back.
        throw new IOException("the answer has more content than the %,d bytes".formatted(size));
      }
    }
    return read;
  }

  /** Returns the failure that the answer reports; empty if it reports none. */
  Optional<StoreException> failure(HttpFacts facts) {
    SdkHttpResponse http = response.httpResponse();
    String code = content.map(HttpAnswer::errorCode).orElse("");
    boolean isListing = facts.isRead() || facts.operation() == Operation.DELETE_ALL;
    if (http.isSuccessful() && (isListing || code.isEmpty())) {
      return Optional.empty();
    }
    Kind kind = kind(facts, code, http.statusCode());
    StoreException failure =
        new StoreException(
            kind,
            facts.operation(),
            facts.object(),
            code.isEmpty()
                ? "status %d.".formatted(http.statusCode())
                : "%s (%d).".formatted(code, http.statusCode()),
            http.firstMatchingHeader("x-amz-request-id").orElse(null),
            null);
    return Optional.of(
        http.firstMatchingHeader("Retry-After")
            .filter(text -> SECONDS.matcher(text).matches())
            .map(text -> failure.retryAfter(Duration.ofSeconds(Long.parseLong(text))))
            .orElse(failure));
  }

  /** Returns the first header of this name. */
  Optional<String> header(String name) {
    return response.httpResponse().firstMatchingHeader(name);
  }

  /** Returns the content as text, or what was read of it. */
  String text() {
    return content.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
  }

  private static String errorCode(byte[] content) {
    int length = Math.min(content.length, BUFFER);
    Matcher error = ERROR.matcher(new String(content, 0, length, StandardCharsets.UTF_8));
    return error.find() ? error.group(1) : "";
  }

  private static Kind kind(HttpFacts facts, String code, int status) {
    return switch (code) {
      case "SlowDown",
          "SlowDownRead",
          "SlowDownWrite",
          "ServiceUnavailable",
          "RequestLimitExceeded" ->
          Kind.THROTTLED;
      case "InternalError" -> Kind.SERVER_ERROR;
      case "NoSuchKey", "NoSuchVersion" -> Kind.NO_SUCH_KEY;
      case "NoSuchUpload" -> Kind.NO_SUCH_UPLOAD;
      case "NoSuchBucket" -> Kind.NO_SUCH_BUCKET;
      default -> kindOfStatus(facts, status);
    };
  }

  static Kind kindOfStatus(HttpFacts facts, int status) {
    return switch (status) {
      case 404 -> Kind.NO_SUCH_KEY;
      case 304, 412 -> Kind.PRECONDITION_FAILED;
      case 409 -> facts.isConditional() ? Kind.PRECONDITION_FAILED : Kind.INVALID_REQUEST;
      case 416 -> Kind.RANGE_NOT_SATISFIABLE;
      case 401, 403 -> Kind.ACCESS_DENIED;
      // A proxy whose connection to the store broke says 503, too: the store may have acted.
      case 429, 503 -> facts.isOnce() ? Kind.SERVER_ERROR : Kind.THROTTLED;
      case 501, 505 -> Kind.INVALID_REQUEST;
      default -> status >= 500 ? Kind.SERVER_ERROR : Kind.INVALID_REQUEST;
    };
  }
}
