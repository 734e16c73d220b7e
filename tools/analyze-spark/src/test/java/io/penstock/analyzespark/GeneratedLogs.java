/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

/** Logs with all that engines may see differently: ties, nulls, repeats, odd lines, odd letters. */
final class GeneratedLogs {
  private static final Instant START = Instant.parse("2026-03-01T23:58:20Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss +0000", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final List<String> ODD_LINES =
      List.of(
          "",
          "no log at all",
          "o lake [31/Feb/2026:99:00:00 +0000] 10.0.0.1 r R REST.GET.OBJECT k \"GET\" 200",
          "\u0000\u0001 \"\\ ' ; -- drop");
  private static final List<String> KEYS =
      List.of(
          "out/day%3D01/part-%d.parquet",
          "out/day%3D02/part-%d.parquet",
          "it%27s/%22q%22/%5Cback%5C/%d",
          "%D0%BA%D0%BB%D1%8E%D1%87/%d",
          "%FF%FE/%d",
          "top-%d");

  private final SplittableRandom chance = new SplittableRandom(5);
  private final List<String> lines = new ArrayList<>();
  private int requests;

  /** Writes some files. */
  static List<Path> write(Path directory) throws IOException {
    GeneratedLogs logs = new GeneratedLogs();
    for (int i = 0; i < 700; i++) {
      logs.anything(i);
    }
    List<String> all = logs.lines;
    int half = all.size() / 2;
    Path plain = directory.resolve("2026-03-01-23-58-20-AAAA");
    // Without an end of the last line.
    Files.writeString(plain, String.join("\n", all.subList(0, half)));
    // Some records stand in both files.
    List<String> later = new ArrayList<>(all.subList(half - 40, all.size()));
    Path packed = directory.resolve("2026-03-02-00-10-00-BBBB.gz");
    byte[] bytes = (String.join("\n", later) + "\n").getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(bytes);
    }
    byte[] whole = Files.readAllBytes(packed);
    Path cut = Files.write(directory.resolve("cut.gz"), Arrays.copyOf(whole, whole.length / 3));
    Path unknown = Files.write(directory.resolve("notes.txt"), new byte[] {1, 2, 3, 4});
    Path trail = Files.writeString(directory.resolve("trail.json"), logs.trail());
    return List.of(plain, packed, cut, unknown, trail);
  }

  private void anything(int number) {
    String key = KEYS.get(chance.nextInt(KEYS.size())).replace("%d", "" + chance.nextInt(40));
    String bucket = chance.nextInt(5) == 0 ? "lake-2" : "lake";
    long second = chance.nextInt(4) == 0 ? 30 : chance.nextInt(200);
    switch (chance.nextInt(8)) {
      case 0, 1 -> retried(bucket, key, second, "REST.PUT.OBJECT", "");
      case 2 -> upload(bucket, key, second, number);
      case 3 -> lines.add(ODD_LINES.get(chance.nextInt(ODD_LINES.size())));
      case 4 -> one(bucket, "-", second, "REST.GET.BUCKET", "?list-type=2&prefix=out", 200, "-");
      case 5 -> retried(bucket, key, second, "REST.GET.OBJECT", "");
      case 6 -> one(bucket, key, second, "REST.HEAD.OBJECT", "", 404, "NoSuchKey");
      default -> one(bucket, key, second, "REST.GET.OBJECT", "", 200, "-");
    }
  }

  private void upload(String bucket, String key, long second, int number) {
    String id = "uploadId=U" + number;
    one(bucket, key, second, "REST.POST.UPLOADS", "?uploads", 200, "-");
    for (int part = 1; part <= 2; part++) {
      retried(bucket, key, second, "REST.PUT.PART", "?partNumber=" + part + "&" + id);
    }
    one(bucket, key, second + 2, "REST.POST.UPLOAD", "?" + id, 200, "-");
  }

  private void retried(String bucket, String key, long second, String operation, String query) {
    int attempts = chance.nextInt(4);
    for (int i = 0; i < attempts; i++) {
      boolean isSlowDown = chance.nextInt(4) > 0;
      one(
          bucket,
          key,
          second + i / 2,
          operation,
          query,
          isSlowDown ? 503 : 500,
          isSlowDown ? "SlowDown" : "InternalError");
    }
    one(bucket, key, second + attempts, operation, query, 200, "-");
  }

  /** Returns what Penstock says of a request: of a task, of the driver, or nothing. */
  private static String referer(int number) {
    String of =
        "https://audit.example.org/hadoop/1/op/I/?op=op&id=I&ps=P&ts=1&ap=app-1&qe=" + number % 4;
    return switch (number % 3) {
      case 0 -> "-";
      case 1 -> of;
      default ->
          of + "&sa=%d_0&ta=attempt_0_%1$d_m_%06d_%d".formatted(number % 5, number % 7, number);
    };
  }

  private void one(
      String bucket,
      String key,
      long second,
      String operation,
      String query,
      int status,
      String error) {
    String verb = operation.split("\\.", -1)[1];
    boolean isWrite = verb.equals("PUT");
    long size = 1L << chance.nextInt(30);
    String total = chance.nextInt(20) == 0 ? "-" : "" + (long) Math.exp(chance.nextDouble() * 11.5);
    String request = chance.nextInt(15) == 0 ? "-" : "R%06d".formatted(requests++ % 1900);
    lines.add(
        ("owner %s [%s] 10.0.0.%d %s %s %s %s \"%s /%s%s HTTP/1.1\" %d %s %s %s %s %s \"%s\""
                + " \"Hadoop 3.4.2, aws-sdk-java/2\" - host SigV4 cipher AuthHeader %s.s3 TLSv1.2")
            .formatted(
                bucket,
                TIME.format(START.plusSeconds(second)),
                chance.nextInt(3),
                chance.nextInt(9) == 0 ? "-" : "arn:aws:iam::1:role/job",
                request,
                operation,
                key,
                verb,
                key,
                query,
                status,
                error,
                isWrite ? "-" : "" + size,
                isWrite ? "" + size : "-",
                total,
                total,
                referer(requests),
                bucket));
  }

  /** Tells of the first bucket as well, and of one more. */
  private String trail() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      text.append(
          ("{\"eventVersion\":\"1.09\",\"eventTime\":\"%s\",\"eventSource\":\"s3.amazonaws.com\","
                  + "\"eventName\":\"%s\",\"awsRegion\":\"us-east-1\","
                  + "\"sourceIPAddress\":\"10.0.0.9\",\"userAgent\":\"[agent]\",%s"
                  + "\"requestParameters\":{\"bucketName\":\"%s\",\"key\":\"t/%d\"},"
                  + "\"additionalEventData\":{\"bytesTransferredIn\":%d.0},"
                  + "\"requestID\":\"T%d\",\"eventID\":\"E%d\",\"readOnly\":false,"
                  + "\"userIdentity\":{\"type\":\"AssumedRole\",\"arn\":\"arn:aws:sts::1:x/y\"},"
                  + "\"eventType\":\"AwsApiCall\",\"managementEvent\":false,"
                  + "\"eventCategory\":\"Data\"}\n")
              .formatted(
                  START.plusSeconds(i / 3),
                  i % 4 == 0 ? "GetObject" : "PutObject",
                  i % 5 == 0 ? "\"errorCode\":\"SlowDown\"," : "",
                  i % 2 == 0 ? "lake" : "trail-only",
                  i % 7,
                  i * 100,
                  i,
                  i));
    }
    return text.toString();
  }
}
