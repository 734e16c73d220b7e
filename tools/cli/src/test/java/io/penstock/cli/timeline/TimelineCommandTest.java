/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published example: a part straggles for 30 s, and its second attempt starts after 10 s. */
class TimelineCommandTest {
  private static final String KEY = "warehouse/events/dt=2021-11-24/part-00017.parquet";

  @TempDir private static Path directory;

  private static Path log;

  private static String line(
      String key,
      String at,
      String operation,
      String query,
      int status,
      String error,
      long millis) {
    String verb = operation.substring(5, operation.indexOf('.', 5));
    return "owner lake [24/Nov/2021:%s +0000] 10.0.0.7 arn:aws:iam::1:role/etl %s %s %s \"%s /%s%s"
            .formatted(
                at,
                Integer.toHexString((at + operation).hashCode()),
                operation,
                key,
                verb,
                key,
                query)
        + " HTTP/1.1\" %d %s - 8388608 %d 20 \"-\" \"Hadoop 3.3.1\" - host= SigV4 AES AuthHeader"
            .formatted(status, error, millis)
        + " lake.s3.amazonaws.com TLSv1.2";
  }

  @BeforeAll
  static void write() throws IOException {
    log = directory.resolve("access.log");
    String part = "?partNumber=1&uploadId=Up1";
    Files.write(
        log,
        List.of(
            line(KEY, "03:27:46", "REST.POST.UPLOADS", "?uploads", 200, "-", 40),
            line(KEY, "03:27:47", "REST.PUT.PART", part, 200, "-", 30_100),
            line(KEY, "03:27:57", "REST.PUT.PART", part, 200, "-", 210),
            line(KEY, "03:27:58", "REST.POST.UPLOAD", "?uploadId=Up1", 503, "SlowDown", 30),
            line(KEY, "03:27:59", "REST.POST.UPLOAD", "?uploadId=Up1", 200, "-", 90),
            line("other/" + "x".repeat(200), "03:27:59", "REST.GET.OBJECT", "", 200, "-", 50),
            line("daily.csv", "03:28:00", "REST.PUT.OBJECT", "", 200, "-", 50),
            line("daily.csv", "03:29:00", "REST.PUT.OBJECT", "", 200, "-", 50),
            line("daily.csv", "03:29:01", "REST.GET.OBJECT", "", 206, "-", 5_000),
            line("daily.csv", "03:29:02", "REST.GET.OBJECT", "", 206, "-", 5_000)
                .replace(
                    "10.0.0.7", "ip-10-0-12-34.eu-central-1.compute.internal-" + "1".repeat(60)),
            line("evil%1B%5B2J/e", "03:27:59", "REST.GET.OBJECT", "", 200, "-", 50),
            line("evil%1B%5B3J/e", "03:27:59", "REST.GET.OBJECT", "", 200, "-", 50),
            line("other/a_c", "03:27:59", "REST.GET.OBJECT", "", 200, "-", 50),
            line("other/abc", "03:27:59", "REST.GET.OBJECT", "", 200, "-", 50)));
  }

  private static Ran timeline(String... options) {
    String[] all = new String[options.length + 3];
    all[0] = "timeline";
    all[1] = "--no-cache";
    System.arraycopy(options, 0, all, 2, options.length);
    all[all.length - 1] = log.toString();
    return Ran.penstock(all);
  }

  @Test
  void theObjectOfTheSlowestRequestIsShownWithAllItsAttempts() {
    Ran ran = timeline();

    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines().get(0)).isEqualTo("  s3://lake/" + KEY);
    assertThat(ran.unwrapped())
        .contains("5 attempts at 3 requests; the slowest took 30.1 s; on 2021-11-24 UTC")
        .contains("03:27:47.000 03:28:17.100 UploadPart 1 1 ok")
        .contains("03:27:57.000 03:27:57.210 UploadPart 1 2 ok")
        .contains("CompleteMultipartUpload 1 503 SlowDown")
        .contains("CompleteMultipartUpload 2 ok");
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    List<String> bars = ran.lines().stream().filter(line -> line.contains("|")).toList();
    assertThat(bars).hasSize(5);
    assertThat(bars.get(1)).matches("  UploadPart 1 +\\| ={20,} 30\\.1 s");
    assertThat(bars.get(2)).matches("  UploadPart 1 again +\\| {5,}= +210 ms");
    assertThat(bars.get(3)).contains("x");
  }

  @Test
  void anObjectIsFoundByItsKeyItsEndItsAddressAndItsUpload() {
    for (String name :
        List.of(KEY, "s3://lake/" + KEY, "s3a://lake/" + KEY, "00017.parquet", "part-00017")) {
      assertThat(timeline("--key", name).out()).as(name).contains("5 attempts at 3 requests");
    }
    assertThat(timeline("--key", "Up1").out()).contains("4 attempts at 2 requests");
  }

  @Test
  void aTextThatMeansNothingOrSeveralObjectsIsAnError() {
    Ran none = timeline("--key", "part-99999.parquet");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.complaint()).contains("no request for the key or upload part-99999.parquet");
    Ran several = timeline("--key", "c");
    assertThat(several.err()).contains("several objects", "s3://lake/other/abc", "other/a_c");
    assertThat(timeline("--key", "a_c").out()).as("_ is no wildcard").contains("other/a_c");
    assertThat(timeline("--key", "'; drop table x").exitCode()).isEqualTo(2);
  }

  @Test
  void requestsThatFollowEachOtherAreNoAttemptsAtOne() {
    Ran ran = timeline("--key", "daily.csv");
    assertThat(ran.out()).contains("4 attempts at 4 requests").doesNotContain("again");
    assertThat(ran.unwrapped()).contains("PutObject 1 ok", "GetObject - ok");
    assertThat(ran.lines()).as("although one host has a long name").allMatch(l -> l.length() <= 80);
  }

  @Test
  void keysOfALogDoNotReachTheTerminalAsTheyAre() {
    Ran ran = timeline("--key", "J/e");
    assertThat(ran.err()).contains("several objects").doesNotContain("\u001b");
  }

  @Test
  void tablesAndThePageAreWhole() throws IOException {
    assertThat(timeline("--key", KEY, "--format=csv").lines()).hasSize(6);
    Path page = directory.resolve("timeline.html");
    Ran ran = timeline("--html", page.toString());
    assertThat(ran.exitCode()).isZero();
    assertThat(Files.readString(page)).contains(KEY, "UploadPart 1, attempt 2", "gantt");
  }
}
