/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.store.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings for giving up attempts.
 *
 * @param max the longest deadline of an attempt without content; each MiB of content adds a second,
 *     and deadlines that are missed too often are stretched beyond it
 * @param stall how long content that has begun to move may stand still
 * @param ceiling the longest time of an attempt, whatever was learned, and also if deadlines are
 *     off; not of copies and long completions, whose work the request does not show
 * @param uploadCeiling the same for attempts that send content
 */
public record DeadlineConfig(
    boolean enabled,
    Duration max,
    Duration stall,
    Optional<Ceiling> ceiling,
    Optional<Ceiling> uploadCeiling) {
  /**
   * A limit that a user has set.
   *
   * @param setBy the name of the setting, for errors
   * @param growsWithContent whether each MiB of content adds a second, as it does to learned
   *     deadlines
   */
  public record Ceiling(Duration most, String setBy, boolean growsWithContent) {
    private static final long NANOS_PER_MIB = 1_000_000_000L;

    long nanos(long bytes) {
      return most.toNanos() + (growsWithContent ? (bytes >> 20) * NANOS_PER_MIB : 0);
    }
  }

  public DeadlineConfig(boolean enabled, Duration max, Duration stall) {
    this(enabled, max, stall, Optional.empty(), Optional.empty());
  }

  static final ConfigKey<Boolean> ENABLED =
      ConfigKey.bool("deadline.enabled")
          .defaultsTo("true")
          .doc(
              "Cut short and repeat an attempt of a request that takes far longer than attempts of"
                  + " similar requests.");

  /**
   * Longer than any answer of a healthy store; see
   * docs/retries.md#slow-requests-hedges-and-deadlines.
   */
  private static final Duration MAX = Duration.ofSeconds(10);

  /** A judgement: TCP sends a lost segment again several times in this. */
  private static final Duration STALL = Duration.ofSeconds(10);

  private static final Pattern PLAIN = Pattern.compile("\\d+");

  private static final Duration LEAST_CEILING = Duration.ofSeconds(1);

  /** S3A of Hadoop 3.4 takes no request timeout below this. */
  private static final Duration LEAST_OF_S3A = Duration.ofSeconds(15);

  static final ConfigKey<Optional<Duration>> ATTEMPT_TIMEOUT =
      ConfigKey.timeLimit("attempt.timeout")
          .alsoReads("fs.s3a.connection.request.timeout", "fs.s3.connection.request.timeout")
          .doc(
              "Cut short and repeat a request's attempt after this time, even if its learned"
                  + " deadline is later. Exempt: object copies, and the completion of large uploads"
                  + " (of any upload on stores other than AWS).");

  static final ConfigKey<Optional<Duration>> UPLOAD_TIMEOUT =
      ConfigKey.timeLimit("attempt.upload.timeout")
          .readsOnly("fs.s3a.connection.part.upload.timeout")
          .doc(
              "Like attempt.timeout, for requests that send content (PUTs and parts). Default: the"
                  + " value of attempt.timeout, plus one second per MiB if S3A's request timeout"
                  + " sets that value.");

  public static final List<ConfigKey<?>> KEYS = List.of(ENABLED, ATTEMPT_TIMEOUT, UPLOAD_TIMEOUT);

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static DeadlineConfig from(Settings settings) {
    Optional<Ceiling> ofAll = ceiling(settings, ATTEMPT_TIMEOUT);
    Optional<Ceiling> ofUploads =
        settings.sourceOf(UPLOAD_TIMEOUT).isPresent()
            ? ceiling(settings, UPLOAD_TIMEOUT)
            : ofAll.map(DeadlineConfig::forUploads);
    return new DeadlineConfig(settings.get(ENABLED), MAX, STALL, ofAll, ofUploads);
  }

  private static Optional<Ceiling> ceiling(Settings settings, ConfigKey<Optional<Duration>> key) {
    String setBy = settings.sourceOf(key).orElse(key.fullName());
    String text = settings.foreign(setBy).orElse("").strip();
    return settings.get(key).map(most -> new Ceiling(sensible(most, text, setBy), setBy, false));
  }

  /**
   * Returns the ceiling for attempts that send content. From Hadoop 3.4.1 on, S3A's request timeout
   * does not apply to them; a large part on a slow link would never arrive in it.
   */
  private static Ceiling forUploads(Ceiling ofAll) {
    return new Ceiling(ofAll.most(), ofAll.setBy(), !ofAll.setBy().startsWith(ConfigKey.PREFIX));
  }

  /**
   * Returns the time that was meant. Hadoop 3.3 takes a plain number as seconds and later versions
   * take it as milliseconds, but at least 15 s. A number below 15,000 can only mean seconds.
   */
  private static Duration sensible(Duration most, String text, String setBy) {
    if (setBy.startsWith(ConfigKey.PREFIX)) {
      if (most.compareTo(LEAST_CEILING) < 0) {
        throw new ConfigException(
            "%s=%d ms would cut short requests that are not slow; the value must be at least 1s, or none."
                .formatted(setBy, most.toMillis()));
      }
      return most;
    }
    boolean isInSeconds = PLAIN.matcher(text).matches() && most.compareTo(LEAST_OF_S3A) < 0;
    Duration meant = isInSeconds ? Duration.ofSeconds(most.toMillis()) : most;
    return meant.compareTo(LEAST_OF_S3A) < 0 ? LEAST_OF_S3A : meant;
  }

  /** Returns the longest time of an attempt, if the user has set one. */
  Optional<Ceiling> ceiling(Operation operation) {
    return switch (operation) {
      case PUT, UPLOAD_PART -> uploadCeiling;
      case GET,
          HEAD,
          COPY,
          COPY_PART,
          DELETE,
          DELETE_ALL,
          LIST,
          CREATE_UPLOAD,
          COMPLETE_UPLOAD,
          ABORT_UPLOAD,
          LIST_UPLOADS,
          LIST_PARTS ->
          ceiling;
    };
  }
}
