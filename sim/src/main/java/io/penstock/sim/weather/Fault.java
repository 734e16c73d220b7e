/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sim.weather;

import io.penstock.sim.api.S3Error;
import java.time.Duration;
import java.util.Optional;

/**
 * What goes wrong with a request.
 *
 * @param stall how long nothing happens before the store acts; only of {@code STALL}
 * @param error what is answered; only of {@code ERROR_BEFORE} and {@code ERROR_AFTER}
 */
public record Fault(Kind kind, Duration stall, Optional<S3Error> error) {
  /** Where in a request it strikes. */
  public enum Kind {
    NONE,
    /** An error is answered; the store did not act. */
    ERROR_BEFORE,
    /** An error is answered although the store acted. */
    ERROR_AFTER,
    /** The connection is reset before the body is read; the store did not act. */
    RESET_BEFORE,
    /** The store acted, and the client sees a reset connection. */
    RESET_AFTER,
    /** The connection ends after half of the body of the answer. */
    TRUNCATE,
    /** Nothing happens for a while; then all goes well. */
    STALL
  }

  public static final Fault NONE = of(Kind.NONE);

  static final String ALLOWED =
      "409, 412, 500, 503, 500-after, 503-after, reset-before, reset-after, truncate or stall:5s";

  private static Fault of(Kind kind) {
    return new Fault(kind, Duration.ZERO, Optional.empty());
  }

  static Fault error(Kind kind, S3Error error) {
    return new Fault(kind, Duration.ZERO, Optional.of(error));
  }

  /** Reads one of {@link #ALLOWED}. */
  static Fault parse(String text) {
    if (text.startsWith("stall:")) {
      Duration stall = DurationText.parse(text.substring("stall:".length()));
      return new Fault(Kind.STALL, stall, Optional.empty());
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
      case "500" -> error(Kind.ERROR_BEFORE, S3Error.internalError());
      case "503" -> error(Kind.ERROR_BEFORE, S3Error.slowDown());
      case "500-after" -> error(Kind.ERROR_AFTER, S3Error.internalError());
      case "503-after" -> error(Kind.ERROR_AFTER, S3Error.slowDown());
      case "reset-before" -> of(Kind.RESET_BEFORE);
      case "reset-after" -> of(Kind.RESET_AFTER);
      case "truncate" -> of(Kind.TRUNCATE);
      default ->
          throw new IllegalArgumentException("'%s' is no fault; write %s".formatted(text, ALLOWED));
    };
  }
}
