/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Error;
import io.penstock.s3model.DurationText;
import java.time.Duration;
import java.util.Optional;

/**
 * The fault that strikes a request.
 *
 * @param stall how long nothing happens before the store acts; only for {@code STALL}
 * @param longestStall upper end of the range from which a stall is drawn; short stalls are more
 *     likely than long ones
 * @param error error that is returned; only for {@code ERROR_BEFORE} and {@code ERROR_AFTER}
 */
public record Fault(Kind kind, Duration stall, Duration longestStall, Optional<S3Error> error) {
  /** The moment of a request at which a fault strikes, and its effect. */
  public enum Kind {
    NONE,
    /** An error is returned; the store did not act. */
    ERROR_BEFORE,
    /** An error is returned although the store acted. */
    ERROR_AFTER,
    /** The connection is reset before the body is read; the store did not act. */
    RESET_BEFORE,
    /** The store acted, and the client sees a connection reset. */
    RESET_AFTER,
    /** The connection ends after half of the response body. */
    TRUNCATE,
    /** Nothing happens for a while; then the request succeeds. */
    STALL,
    /** The answer is 200 with a web page, as of a captive proxy; the store did not act. */
    WEB_PAGE,
    /** The answer is 200 with nothing; the store did not act. */
    EMPTY_BODY,
    /** The answer is 200 with a {@code DeleteResult} that names no key; the store did not act. */
    EMPTY_RESULT,
    /** The answer is 200 with an error in it; the store did not act. */
    ERROR_INSIDE,
    /** The answer does not tell its length. */
    NO_LENGTH,
    /** The answer has a weak ETag in its header. */
    WEAK_ETAG,
    /** The answer has no ETag in its header. */
    NO_ETAG,
    /** The listing says that there is more, and does not tell how to go on. */
    NO_TOKEN;

    boolean isError() {
      return this == ERROR_BEFORE || this == ERROR_AFTER;
    }
  }

  public static final Fault NONE = of(Kind.NONE);

  static final String ALLOWED =
      "409, 412, 500, 503, 500-after, 503-after, reset-before, reset-after, truncate, stall:5s,"
          + " stall:5s-60s, 403, bad-name, bad-xml, html, empty, empty-result, 500-inside,"
          + " no-length, weak-etag, no-etag or no-token";

  private static Fault of(Kind kind) {
    return new Fault(kind, Duration.ZERO, Duration.ZERO, Optional.empty());
  }

  static Fault error(Kind kind, S3Error error) {
    return new Fault(kind, Duration.ZERO, Duration.ZERO, Optional.of(error));
  }

  private static Fault stall(String[] ends) {
    Duration shortest = DurationText.parse(ends[0]);
    Duration longest = DurationText.parse(ends[ends.length - 1]);
    if (ends.length == 2 && (shortest.isZero() || longest.compareTo(shortest) < 0)) {
      throw new IllegalArgumentException(
          "a stall lasts from a shorter to a longer time, not " + ends[0] + "-" + ends[1]);
    }
    return new Fault(Kind.STALL, shortest, longest, Optional.empty());
  }

  boolean isDrawn() {
    return !stall.equals(longestStall);
  }

  /**
   * Draws one stall from the range. Every doubling of the duration is equally likely, as in the
   * latency tail of real stores.
   *
   * @param draw in [0, 1)
   */
  Fault drawn(double draw) {
    double times = Math.pow((double) longestStall.toNanos() / stall.toNanos(), draw);
    Duration length = Duration.ofNanos((long) (stall.toNanos() * times));
    return new Fault(kind, length, length, error);
  }

  /** Parses one of the forms in {@link #ALLOWED}. */
  static Fault parse(String text) {
    if (text.startsWith("stall:")) {
      return stall(text.substring("stall:".length()).split("-", 2));
    }
    return switch (text) {
      case "409" ->
          error(
              Kind.ERROR_BEFORE,
              new S3Error(
                  409,
                  "ConditionalRequestConflict",
                  "A conflicting operation occurred during processing of this request."));
      case "412" ->
          error(
              Kind.ERROR_BEFORE,
              new S3Error(
                  412,
                  "PreconditionFailed",
                  "At least one of the pre-conditions you specified did not hold"));
      case "403" -> error(Kind.ERROR_BEFORE, new S3Error(403, "AccessDenied", "Access Denied"));
      case "bad-name" ->
          error(
              Kind.ERROR_BEFORE,
              new S3Error(
                  400, "XMinioInvalidObjectName", "Object name contains unsupported characters."));
      case "bad-xml" ->
          error(
              Kind.ERROR_BEFORE,
              new S3Error(400, "MalformedXML", "The XML you provided was not well-formed."));
      case "html" -> of(Kind.WEB_PAGE);
      case "empty" -> of(Kind.EMPTY_BODY);
      case "empty-result" -> of(Kind.EMPTY_RESULT);
      case "500-inside" -> of(Kind.ERROR_INSIDE);
      case "no-length" -> of(Kind.NO_LENGTH);
      case "weak-etag" -> of(Kind.WEAK_ETAG);
      case "no-etag" -> of(Kind.NO_ETAG);
      case "no-token" -> of(Kind.NO_TOKEN);
      case "500" -> error(Kind.ERROR_BEFORE, S3Error.internalError());
      case "503" -> error(Kind.ERROR_BEFORE, S3Error.slowDown());
      case "500-after" -> error(Kind.ERROR_AFTER, S3Error.internalError());
      case "503-after" -> error(Kind.ERROR_AFTER, S3Error.slowDown());
      case "reset-before" -> of(Kind.RESET_BEFORE);
      case "reset-after" -> of(Kind.RESET_AFTER);
      case "truncate" -> of(Kind.TRUNCATE);
      default ->
          throw new IllegalArgumentException(
              "'%s' is not a fault; write %s".formatted(text, ALLOWED));
    };
  }
}
