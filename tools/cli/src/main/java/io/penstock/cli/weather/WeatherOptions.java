/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import io.penstock.core.config.Sizes;
import io.penstock.emulator.weather.ThrottleRule;
import io.penstock.emulator.weather.Weather;
import io.penstock.s3model.Latency;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the latency, throttling and faults of an S3 server. */
public final class WeatherOptions {
  @Option(
      names = "--latency",
      paramLabel = "LAW",
      description =
          "Latency to add before each answer: none, a fixed time such as 50ms, lognormal:P50,P99"
              + " such as lognormal:80ms,900ms, or s3 (as measured in 10 million part uploads)."
              + " Default: none; 5ms in the demo.")
  private String latency;

  @Option(
      names = "--throttle",
      paramLabel = "WRITES,READS",
      description =
          "Writes and reads per second that a partition accepts before it answers 503 SlowDown."
              + " S3's own limits are 3500,5500.")
  private String throttle;

  @Mixin private ThrottleOptions throttling;

  @Option(
      names = "--latency-of",
      paramLabel = "Op=LAW",
      description =
          "Latency distribution for one operation, such as UploadPart=s3; may be repeated.")
  private Map<String, String> latencies = Map.of();

  @Option(
      names = "--slow-address",
      paramLabel = "ADDRESS=TIME",
      description =
          "Delay all answers from ADDRESS (one of the addresses of --host) by TIME, such as"
              + " 127.0.0.2=2s; may be repeated.")
  private Map<String, String> slowAddresses = Map.of();

  @Option(
      names = "--act-for-the-gone",
      description =
          "Carry out a request even if its client disconnected while the request waited, as S3 may"
              + " do. Default: such a request is dropped.")
  private boolean actsForTheGone;

  @Option(
      names = "--partition",
      paramLabel = "PREFIX",
      description = "Key prefix that is a partition of its own; may be repeated.")
  private List<String> partitions = List.of();

  @Option(
      names = "--partition-depth",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "Keys in the same bucket that have the same first N segments form a partition. Default:"
              + " ${DEFAULT-VALUE}.")
  private int depth;

  @Option(
      names = "--bandwidth",
      paramLabel = "SIZE",
      description = "Bytes per second of each connection, in each direction, such as 10M.")
  private String bandwidth;

  @Option(
      names = "--faults",
      paramLabel = "RULES",
      description = {
        "Rules, separated by commas: Op#N=FAULT (the N-th request of an operation), Op@P=FAULT (a"
            + " share P of its requests), Op=FAULT (all); * is any operation. FAULT: 409, 412, 500,"
            + " 503 or reset-before (the request is not carried out); 500-after, 503-after or"
            + " reset-after (the request is carried out, then answered with the error); truncate"
            + " (half of the answer); stall:5s or stall:5s-60s (a delay, then the answer).",
        "Example: CompleteMultipartUpload#1=reset-after,*@0.01=stall:5s-60s",
        "FAULT can also be a wrong answer of a store or proxy: html, empty, empty-result or"
            + " 500-inside (with status 200, but the request is not carried out), no-length,"
            + " weak-etag, no-etag, no-token.",
        "Op[KEY]=FAULT applies only to some keys. KEY is the start of the key or has:TEXT (both"
            + " URL-encoded), segment>255 or length>900 (both in bytes), or plain: of requests"
            + " without If-Match and If-None-Match. FAULT can then also be 403, bad-name or"
            + " bad-xml.",
        "Example: DeleteObject[lake/day=1/]=403,*[segment>255]=bad-name"
      })
  private String faults;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seed for every random choice. Default: ${DEFAULT-VALUE}.")
  private long seed;

  /** Returns the given latency, or the default. */
  public String latency(String usual) {
    return latency == null ? usual : latency;
  }

  /** Returns true if any weather option was given. */
  public boolean isAsked() {
    return latency != null
        || !latencies.isEmpty()
        || throttle != null
        || bandwidth != null
        || faults != null
        || !slowAddresses.isEmpty();
  }

  public Weather weather() {
    return weather("none");
  }

  /** Returns the weather, with this latency if none was given. */
  public Weather weather(String usualLatency) {
    Weather weather =
        Weather.CALM
            .withSeed(seed)
            .withLatency(Latency.parse(latency(usualLatency)))
            .withLatencies(Latency.parseAll(latencies))
            .withSlowAddresses(Latency.parseAddresses(slowAddresses));
    if (actsForTheGone) {
      weather = weather.actingForTheGone();
    }
    if (throttle != null) {
      weather = weather.withThrottle(rule());
    } else if (!partitions.isEmpty() || depth > 0 || throttling.isAsked()) {
      throw new IllegalArgumentException(
          "--partition and --partition-depth need --throttle, as do --throttle-burst,"
              + " --throttle-rejection-cost, --split-after, --split-times and --cold-start");
    }
    if (bandwidth != null) {
      weather = weather.withBandwidth(bytesPerSecond());
    }
    return faults == null ? weather : weather.withFaults(faults);
  }

  private long bytesPerSecond() {
    try {
      return Sizes.parse(bandwidth);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--bandwidth=" + bandwidth + " " + e.getMessage(), e);
    }
  }

  private ThrottleRule rule() {
    String[] rates = throttle.split(",", -1);
    try {
      if (rates.length == 2) {
        return throttling
            .of(ThrottleRule.ofS3())
            .rates(rate(rates[0]), rate(rates[1]))
            .byDepth(depth)
            .byPrefixes(partitions);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(badRates(), e);
    }
    throw new IllegalArgumentException(badRates());
  }

  /** Parses a finite number. Java parses NaN as a number, and comparisons do not refuse it. */
  private static double rate(String text) {
    double rate = Double.parseDouble(text);
    if (!Double.isFinite(rate)) {
      throw new NumberFormatException(text);
    }
    return rate;
  }

  private String badRates() {
    return "--throttle=" + throttle + " is not WRITES,READS a second, such as 3500,5500";
  }
}
