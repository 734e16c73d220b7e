/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static io.penstock.analyze.html.Samples.table;

import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A page with everything that a page can have. */
final class SamplePage {
  /** What a name in a log may be. */
  static final String HOSTILE =
      "</script><script>alert(1)</script><img src=x"
          + " onerror=alert(2)>\"'&{a|b}\u2028\u202e\u0007مرحبا";

  private SamplePage() {}

  static Page of() {
    return new Page(
        "What this job did to S3",
        List.of(
            "12 files of access log, 2.5 GB, s3://logs/lake/2024/06/04/",
            "2024-06-04 14:40:00 to 15:01:27 UTC, application_1717500000000_0009"),
        List.of(
            new Figure("Requests", "2,302,686", "1,789 a second", Tone.PLAIN),
            new Figure("Throttled writes", "23.46 %", "23.13 % of all requests", Tone.BAD),
            new Figure("Busiest second", "4,580/s", "14:41:09", Tone.WARN),
            new Figure("Took over 10 s", "15,866", "1 in 643 part uploads", Tone.WARN),
            new Figure("Cost of requests", "$8.70", "+ $2.30 for CloudTrail", Tone.PLAIN)),
        findings(),
        sections("warehouse/events.db/clicks/event_date=2024-05-01/"));
  }

  private static List<Remark> findings() {
    return List.of(
        new Remark(
            new Label("R3", "file-size", "Each file of 5.2 MiB costs three write requests"),
            "costly",
            Tone.BAD,
            "The job wrote 579,158 files; most were made of one part.",
            List.of(
                "median output file 5.2 MiB",
                "3.00 write requests a file",
                "23.46 % of writes throttled"),
            "Write files of 128 to 512 MiB: 21,568 files took 285 s instead of 1,287 s.",
            List.of(
                new Remark.Setting("spark.sql.files.maxRecordsPerFile", "500000", "0"),
                new Remark.Setting("spark.sql.shuffle.partitions", "2000", "11800"))),
        new Remark(
            new Label(
                "R5",
                "slow-attempts",
                "A second attempt after 5 s would have saved 62 % of the waiting in the tail"),
            "worth a trial",
            Tone.WARN,
            "26,602 of 10,208,803 part uploads took more than 5 s, while the median is 80 ms.",
            List.of("0.26 % more requests"),
            "Hedge part uploads, or set the upload timeout.",
            List.of(new Remark.Setting("fs.s3a.connection.part.upload.timeout", "15m", "5s"))),
        new Remark(
            new Label("R2", "no-rate-control", "The rate control suits this load"),
            "fine",
            Tone.GOOD,
            "Nothing to change.",
            List.of(),
            "",
            List.of()));
  }

  static List<PageSection> sections(String key) {
    Samples samples = new Samples();
    Table seconds = samples.backoff();
    return List.of(
        new PageSection(
            "Rates and throttling",
            "",
            List.of(
                RatePlots.requests(seconds, Samples.stages())
                    .withSql("SELECT started < 1\n  FROM x"),
                RatePlots.byApi(samples.byApi()),
                new TableItem(
                    byApi(),
                    "Attempts, not calls: a request that was sent three times counts three times.",
                    "SELECT api\nFROM s3_requests"),
                new TableItem(topSeconds(key), "", ""),
                RatePlots.compare(
                    "Run 9: exponential backoff", seconds, "Run 10: AIMD", samples.aimd()))),
        new PageSection(
            "The tail",
            "Most requests take 50 to 100 ms; a few take many seconds.",
            List.of(
                LatencyPlots.tail(samples.durations()),
                new TableItem(tail(), "", ""),
                LatencyPlots.heat(samples.durationsByTime()),
                LatencyPlots.whatIf(Samples.whatIf()))),
        new PageSection(
            "Retries",
            "",
            List.of(
                RetryPlots.timeline(Samples.retry(), key + "part-00001.parquet"),
                RetryPlots.attempts(Samples.attempts()))),
        new PageSection(
            "Where",
            "",
            List.of(
                PlacePlots.prefixes(samples.prefixes()),
                PlacePlots.executors(samples.executors()),
                new TableItem(summary(), "", ""))),
        new PageSection(
            "Job",
            "",
            List.of(
                StagePlots.stages(Samples.stages()),
                SizePlots.sizes(Samples.sizes()),
                new TableItem(
                    table("T21", "DNS", "name text, queries count", List.of()), "", ""))));
  }

  private static Table byApi() {
    return table(
        "T2",
        "Requests by API",
        "api text, requests count, share_pct percent, throttled count, throttled_pct percent,"
            + " attempts_per_request number, p50_ms millis, p95_ms millis, p99_ms millis",
        List.of(
            List.of(
                "CompleteMultipartUpload",
                915_106L,
                39.74,
                335_949L,
                36.71,
                1.58,
                110.0,
                930.0,
                4_100.0),
            List.of("UploadPart", 728_803L, 31.65, 149_644L, 20.53, 1.26, 80.0, 880.0, 3_800.0),
            List.of(
                "CreateMultipartUpload", 626_246L, 27.2, 47_089L, 7.52, 1.08, 35.0, 310.0, 900.0),
            List.of("GetObject", 26_888L, 1.17, 0L, 0.0, 1.0, 60.0, 420.0, 1_200.0),
            List.of("HeadObject", 3_032L, 0.13, 0L, 0.0, 1.0, 12.0, 60.0, 210.0),
            List.of("ListObjects", 1_491L, 0.06, 0L, 0.0, 1.0, 40.0, 180.0, 600.0),
            List.of("HeadBucket", 1_120L, 0.05, 0L, 0.0, 1.0, 9.0, 40.0, 110.0)));
  }

  private static Table topSeconds(String key) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rows.add(
          List.of(
              Samples.START.plusSeconds(69 + i * 3),
              4_580L - i * 31L,
              4_562L - i * 31L,
              18L,
              912L - i * 20L,
              key));
    }
    return table(
        "T4",
        "Busiest seconds",
        "second time, requests count, writes count, reads count, throttled count, top_prefix text",
        rows);
  }

  private static Table tail() {
    return table(
        "T6",
        "The tail",
        "api text, n count, over_5_s count, over_10_s count, over_30_s count, over_60_s count,"
            + " p25_ms millis, p50_ms millis, p95_ms millis, max_ms millis",
        List.of(
            List.of(
                "UploadPart",
                10_208_803L,
                26_602L,
                15_866L,
                14L,
                4L,
                48.0,
                80.0,
                880.0,
                118_000.0)));
  }

  private static Table summary() {
    return table(
        "T16",
        "Who",
        "role text, requests count, throttled count, share_pct percent",
        List.of(
            List.of(
                "arn:aws:sts::123456789012:assumed-role/EMR_EC2_DefaultRole/i-0abc",
                2_302_686L,
                532_682L,
                98.2),
            List.of("svc:inventory", 41_221L, 0L, 1.8)));
  }

  /** Writes the page, and one with hostile names, for the browser that looks at them. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    write(of(), directory.resolve("report.html"));
    write(hostile(), directory.resolve("hostile.html"));
  }

  static Page hostile() {
    Samples samples = new Samples();
    List<PageSection> sections = new ArrayList<>(sections(HOSTILE));
    sections.add(
        new PageSection(
            HOSTILE,
            HOSTILE,
            List.of(
                new TableItem(
                    table("T99", HOSTILE, "name text", List.of(List.of(HOSTILE), List.of(HOSTILE))),
                    HOSTILE,
                    HOSTILE))));
    sections.set(
        3,
        new PageSection(
            "Where",
            "",
            List.of(
                PlacePlots.prefixes(samples.byPlace("P5", "dir", List.of(HOSTILE, "", "x"))),
                PlacePlots.executors(samples.byPlace("P6", "executor", List.of(HOSTILE))))));
    return new Page(
        HOSTILE,
        List.of(HOSTILE),
        List.of(new Figure(HOSTILE, HOSTILE, HOSTILE, Tone.BAD)),
        List.of(
            new Remark(
                Label.unnamed(HOSTILE, HOSTILE),
                HOSTILE,
                Tone.BAD,
                HOSTILE,
                List.of(HOSTILE),
                HOSTILE,
                List.of(new Remark.Setting(HOSTILE, HOSTILE, HOSTILE)))),
        sections);
  }

  private static void write(Page page, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      HtmlReport.write(page, out);
    }
  }
}
