/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3model;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A distribution of the time that S3 takes to answer: a pure function from probability to duration.
 */
public sealed interface Latency {
  Latency NONE = new Constant(Duration.ZERO);

  /**
   * Returns the latency that this share of the requests exceeds.
   *
   * @param survival in (0, 1)
   */
  Duration exceededBy(double survival);

  /**
   * Returns the same latency for every request.
   *
   * @throws IllegalArgumentException when the duration is negative
   */
  static Latency constant(Duration duration) {
    return new Constant(duration);
  }

  /**
   * Returns a log-normal distribution with this median and this 99th percentile.
   *
   * @throws IllegalArgumentException unless {@code 0 < p50 <= p99}
   */
  static Latency logNormal(Duration p50, Duration p99) {
    return new LogNormal(p50, p99);
  }

  /**
   * Returns the latencies of 10,208,803 part uploads to almost random prefixes from several
   * machines: p25 48 ms, p50 80 ms, p95 880 ms, and 26,602 / 15,866 / 14 / 4 over 5 / 10 / 30 / 60
   * s. Published in the article "S3 Low Latency Writes – Using Aggressive Retries to Get Consistent
   * Latency – Request Timeouts". The ends of the distribution, 8 ms and 120 s, are assumptions.
   */
  static Latency ofS3() {
    double all = 10_208_803;
    return new Piecewise(
        List.of(
            new Point(0.008, 1),
            new Point(0.048, 0.75),
            new Point(0.080, 0.5),
            new Point(0.880, 0.05),
            new Point(5, 26_602 / all),
            new Point(10, 15_866 / all),
            new Point(30, 14 / all),
            new Point(60, 4 / all),
            new Point(120, 0.1 / all)));
  }

  /**
   * Parses {@code none}, {@code 50ms}, {@code lognormal:80ms,900ms} (p50, p99) or {@code s3}.
   *
   * @throws IllegalArgumentException for any other text; the message names the valid forms
   */
  static Latency parse(String text) {
    if (text.equals("none")) {
      return NONE;
    }
    if (text.equals("s3")) {
      return ofS3();
    }
    if (text.startsWith("lognormal:") && text.indexOf(',') > 0) {
      int comma = text.indexOf(',');
      return logNormal(
          DurationText.parse(text.substring("lognormal:".length(), comma)),
          DurationText.parse(text.substring(comma + 1)));
    }
    if (text.matches("[0-9]+[a-z]+")) {
      return constant(DurationText.parse(text));
    }
    throw new IllegalArgumentException(
        "'%s' is not a latency; write none, 50ms, lognormal:80ms,900ms (p50, p99) or s3"
            .formatted(text));
  }

  /**
   * Parses latency laws by operation name.
   *
   * @throws IllegalArgumentException for any other text; the message names the valid forms
   */
  static Map<S3Operation, Latency> parseAll(Map<String, String> texts) {
    Map<S3Operation, Latency> laws = new EnumMap<>(S3Operation.class);
    texts.forEach((name, text) -> laws.put(S3Operation.named(name), parse(text)));
    return laws;
  }

  /**
   * Parses the additional delay of each server address.
   *
   * @throws IllegalArgumentException for any other text; the message names the valid forms
   */
  static Map<String, Duration> parseAddresses(Map<String, String> texts) {
    Map<String, Duration> more = new TreeMap<>();
    texts.forEach((address, text) -> more.put(address, DurationText.parse(text)));
    return more;
  }

  /** The same latency for every request. */
  record Constant(Duration duration) implements Latency {
    public Constant {
      if (duration.isNegative()) {
        throw new IllegalArgumentException("latency must not be negative, got " + duration);
      }
    }

    @Override
    public Duration exceededBy(double survival) {
      return duration;
    }
  }

  /** A log-normal distribution, given by its median and its 99th percentile. */
  record LogNormal(Duration p50, Duration p99) implements Latency {
    private static final double P99_DEVIATIONS = 2.3263478740408408;

    public LogNormal {
      if (p50.isZero() || p50.isNegative() || p99.compareTo(p50) < 0) {
        throw new IllegalArgumentException("need 0 < p50 <= p99, got " + p50 + " and " + p99);
      }
    }

    @Override
    public Duration exceededBy(double survival) {
      double sigma = Math.log((double) p99.toNanos() / p50.toNanos()) / P99_DEVIATIONS;
      double nanos = p50.toNanos() * Math.exp(sigma * NormalLaw.quantile(1 - survival));
      return Duration.ofNanos((long) nanos);
    }
  }

  /** One point of a distribution: this share of the requests takes longer than this time. */
  record Point(double seconds, double survival) {}

  /** Interpolates linearly between points, with both axes logarithmic. */
  record Piecewise(List<Point> points) implements Latency {
    public Piecewise {
      points = List.copyOf(points);
      for (int i = 1; i < points.size(); i++) {
        Point left = points.get(i - 1);
        Point right = points.get(i);
        if (right.seconds() <= left.seconds() || right.survival() >= left.survival()) {
          throw new IllegalArgumentException("seconds must rise and survival fall: " + points);
        }
      }
    }

    @Override
    public Duration exceededBy(double survival) {
      double seconds = points.get(points.size() - 1).seconds();
      for (int i = 1; i < points.size(); i++) {
        Point left = points.get(i - 1);
        Point right = points.get(i);
        if (survival >= right.survival()) {
          double share =
              Math.log(left.survival() / Math.min(survival, left.survival()))
                  / Math.log(left.survival() / right.survival());
          seconds = left.seconds() * Math.pow(right.seconds() / left.seconds(), share);
          break;
        }
      }
      return Duration.ofNanos((long) (seconds * 1e9));
    }
  }
}
