/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Tables as the published benchmark would give them: its curves by their corners, with noise. */
final class Samples {
  static final Instant START = Instant.parse("2024-06-04T14:40:00Z");
  static final List<String> APIS =
      List.of(
          "CompleteMultipartUpload",
          "UploadPart",
          "CreateMultipartUpload",
          "GetObject",
          "HeadObject",
          "ListObjects",
          "HeadBucket",
          "DeleteObjects",
          "PutObject");
  private static final double[] SHARES = {39.7, 31.6, 27.2, 1.2, 0.13, 0.06, 0.05, 0.04, 0.02};

  /** Second and rate in turn: exponential backoff, the job of 1,287 s. */
  private static final double[] BACKOFF = {
    0, 1800, 20, 1700, 40, 2500, 60, 4500, 75, 4500, 90, 3900, 170, 3400, 200, 1900, 240, 1000, 420,
    1100, 560, 1900, 700, 2800, 800, 2750, 900, 2100, 1000, 1600, 1200, 1300, 1270, 1000, 1287, 0
  };

  private static final double[] BACKOFF_THROTTLED = {
    0, 0, 69, 0, 71, 900, 170, 850, 240, 600, 260, 400, 480, 400, 640, 480, 780, 580, 1000, 350,
    1200, 150, 1287, 0
  };
  private static final double[] AIMD = {
    0, 1800, 20, 1700, 40, 2500, 60, 4500, 75, 4500, 80, 520, 245, 3130, 300, 1900, 360, 1100, 440,
    1100, 560, 2000, 690, 2800, 800, 2600, 950, 1900, 1100, 1500, 1130, 900, 1138, 0
  };
  private static final double[] AIMD_THROTTLED = {
    0, 0, 66, 0, 68, 600, 78, 600, 80, 0, 240, 0, 250, 30, 260, 0, 690, 0, 700, 40, 720, 0, 1138, 0
  };

  private final SplittableRandom random = new SplittableRandom(7);

  static Table table(String id, String title, String columns, List<List<Object>> rows) {
    List<Column> parsed = new ArrayList<>();
    for (String column : columns.split(", ", -1)) {
      String[] words = column.split(" ", -1);
      parsed.add(new Column(words[0], Kind.valueOf(words[1].toUpperCase(Locale.ROOT))));
    }
    return new Table(id, title, parsed, rows);
  }

  Table backoff() {
    return seconds(BACKOFF, BACKOFF_THROTTLED);
  }

  Table aimd() {
    return seconds(AIMD, AIMD_THROTTLED);
  }

  private static double at(double[] corners, double x) {
    for (int i = 2; i < corners.length; i += 2) {
      if (x <= corners[i]) {
        double share = (x - corners[i - 2]) / (corners[i] - corners[i - 2]);
        return corners[i - 1] + share * (corners[i + 1] - corners[i - 1]);
      }
    }
    return 0;
  }

  private double noise() {
    return 0.92 + random.nextDouble() * 0.16;
  }

  private Table seconds(double[] rates, double[] throttled) {
    List<List<Object>> rows = new ArrayList<>();
    for (int second = 0; second < rates[rates.length - 2]; second++) {
      long requests = (long) (at(rates, second) * noise());
      long slowed = Math.min((long) (at(throttled, second) * noise()), requests);
      if (requests > 0) {
        rows.add(List.of(START.plusSeconds(second), 1L, requests, slowed, requests, slowed));
      }
    }
    return table(
        "P1",
        "Requests and throttled requests a second",
        "started time, span_s count, requests count, throttled count, peak count, peak_throttled"
            + " count",
        rows);
  }

  Table byApi() {
    List<List<Object>> rows = new ArrayList<>();
    for (int second = 0; second < 1287; second += 10) {
      for (int api = 0; api < APIS.size(); api++) {
        long requests = (long) (at(BACKOFF, second) * noise() * SHARES[api] / 10);
        if (requests > 0) {
          rows.add(List.of(START.plusSeconds(second), APIS.get(api), requests, requests / 5));
        }
      }
    }
    return table("P2", "", "started time, api text, requests count, throttled count", rows);
  }

  /** Seed 001: 10,208,803 part uploads, and gets that are quicker. */
  Table durations() {
    List<List<Object>> rows = new ArrayList<>();
    for (String api : List.of("UploadPart", "GetObject")) {
      double n = api.equals("UploadPart") ? 10_208_803 : 2_000_000;
      double faster = api.equals("UploadPart") ? 1 : 0.3;
      long before = 0;
      for (long bucket = 24; bucket <= 136; bucket++) {
        double edge = Math.pow(2, bucket / 8.0);
        long upTo = (long) (n * (1 - slower(edge / faster)));
        long count = upTo - before;
        before = upTo;
        if (count > 0) {
          List<Object> row = new ArrayList<>(List.of(api, bucket, count));
          for (int over : new int[] {1_000, 5_000, 10_000, 30_000, 60_000}) {
            row.add(edge > over ? count : 0L);
          }
          rows.add(row);
        }
      }
    }
    return table(
        "P3",
        "",
        "api text, bucket count, requests count, over_1s count, over_5s count, over_10s count,"
            + " over_30s count, over_60s count",
        rows);
  }

  /** The share of requests slower than that, by the corners that the seed has. */
  private static double slower(double millis) {
    double n = 10_208_803;
    double[] corners = {
      5,
      1,
      48,
      0.75,
      80,
      0.5,
      880,
      0.05,
      5_000,
      26_602 / n,
      10_000,
      15_866 / n,
      30_000,
      14 / n,
      60_000,
      4 / n,
      120_000,
      0.5 / n
    };
    for (int i = 2; i < corners.length; i += 2) {
      if (millis <= corners[i]) {
        double share =
            Math.log(Math.max(millis, 5) / corners[i - 2]) / Math.log(corners[i] / corners[i - 2]);
        return corners[i - 1] * Math.pow(corners[i + 1] / corners[i - 1], share);
      }
    }
    return 0;
  }

  Table durationsByTime() {
    List<List<Object>> rows = new ArrayList<>();
    for (int second = 0; second < 1280; second += 10) {
      for (long bucket = 3; bucket < 17; bucket++) {
        double share = slower(Math.pow(2, (double) bucket)) - slower(Math.pow(2, bucket + 1.0));
        long count = (long) (at(BACKOFF, second) * 10 * share * noise() + random.nextDouble());
        if (count > 0) {
          rows.add(List.of(START.plusSeconds(second), bucket, count));
        }
      }
    }
    return table("P4", "", "started time, bucket count, requests count", rows);
  }

  Table byPlace(String id, String column, List<String> names) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      for (int second = 0; second < 1280; second += 10) {
        double share = 1 / Math.pow(i + 1, 1.1);
        long requests = (long) (at(BACKOFF, second) * 2.5 * share * noise() * noise());
        long slowed = i < 4 ? (long) (at(BACKOFF_THROTTLED, second) * 2 * share * noise()) : 0;
        if (requests > 0) {
          rows.add(
              List.of(
                  START.plusSeconds(second), names.get(i), requests, Math.min(slowed, requests)));
        }
      }
    }
    return table(
        id, "", "started time, " + column + " text, requests count, throttled count", rows);
  }

  Table prefixes() {
    List<String> names = new ArrayList<>();
    for (int day = 1; day <= 30; day++) {
      names.add("warehouse/events.db/clicks/event_date=2024-05-%02d/".formatted(day));
    }
    return byPlace("P5", "dir", names);
  }

  Table executors() {
    return byPlace(
        "P6",
        "executor",
        Stream.iterate(11, i -> i + 1).limit(40).map(i -> "10.0.3." + i).toList());
  }

  /** Seed 001: the first attempt straggles for 30 s, the second comes after 10 s and is quick. */
  static Table retry() {
    Instant at = Instant.parse("2021-03-05T03:27:46.200Z");
    return table(
        "P7",
        "Attempts",
        "started time, ended time, api text, part_no count, attempt count, status count, err text",
        List.of(
            Arrays.asList(at, at.plusMillis(95), "CreateMultipartUpload", null, 1L, 200L, null),
            Arrays.asList(
                at.plusMillis(800), at.plusMillis(30_900), "UploadPart", 1L, 1L, 200L, null),
            Arrays.asList(
                at.plusMillis(10_810), at.plusMillis(11_090), "UploadPart", 1L, 2L, 200L, null),
            Arrays.asList(
                at.plusMillis(11_200),
                at.plusMillis(11_240),
                "CompleteMultipartUpload",
                null,
                1L,
                503L,
                "SlowDown"),
            Arrays.asList(
                at.plusMillis(11_500),
                at.plusMillis(11_730),
                "CompleteMultipartUpload",
                null,
                2L,
                200L,
                null)));
  }

  static Table whatIf() {
    return table(
        "P8",
        "What if",
        "timeout_s seconds, over count, extra percent, saved_by_abort seconds, saved_by_race"
            + " seconds",
        List.of(
            List.of(0.5, 812_000L, 7.95, 590_000.0, 655_000.0),
            List.of(1.0, 449_000L, 4.4, 610_000.0, 640_000.0),
            List.of(2.0, 286_000L, 2.8, 581_000.0, 592_000.0),
            List.of(5.0, 26_602L, 0.26, 228_000.0, 236_000.0),
            List.of(10.0, 15_866L, 0.16, 128_000.0, 131_000.0),
            List.of(30.0, 14L, 0.0001, 410.0, 430.0)));
  }

  static Table sizes() {
    List<List<Object>> rows = new ArrayList<>();
    long[] parts = {100, 900, 4_000, 21_000, 90_000, 380_000, 70_000, 12_000, 800};
    for (int i = 0; i < parts.length; i++) {
      long bucket = 40L + i;
      rows.add(List.of("UploadPart", bucket, parts[i], parts[i] * (1L << (bucket / 2))));
      rows.add(
          List.of("GetObject", bucket - 10, parts[i] / 3, parts[i] * (1L << (bucket / 2 - 5))));
    }
    return table("P9", "", "api text, bucket count, requests count, bytes bytes", rows);
  }

  static Table stages() {
    return table(
        "P10",
        "Stages",
        "stage_id count, attempt count, name text, submitted time, completed time, tasks count,"
            + " run_ms millis, scan_ms millis",
        List.of(
            stage(0, "parquet at Ingest.scala:41", 0, 14, 210_000, 20_000),
            stage(1, "exchange: hashpartitioning(user_id, 2000)", 12, 62, 9_000_000, 6_100_000),
            stage(2, "save at Ingest.scala:88", 60, 1_280, 1_500_000_000, 12_000_000)));
  }

  private static List<Object> stage(
      long id, String name, int from, int to, double runMillis, double scanMillis) {
    return List.of(
        id, 0L, name, START.plusSeconds(from), START.plusSeconds(to), 1486L, runMillis, scanMillis);
  }

  static Table attempts() {
    return table(
        "P11",
        "Attempts",
        "attempts count, chains count, share_pct percent, waited_s seconds",
        List.of(
            List.of(1L, 1_330_000L, 75.2, 0.0),
            List.of(2L, 271_000L, 15.3, 32_000.0),
            List.of(3L, 104_000L, 5.9, 46_000.0),
            List.of(4L, 41_000L, 2.3, 39_000.0),
            List.of(5L, 15_600L, 0.9, 29_000.0),
            List.of(6L, 6_000L, 0.3, 21_000.0),
            List.of(7L, 900L, 0.05, 6_200.0),
            List.of(8L, 41L, 0.0, 510.0)));
  }
}
