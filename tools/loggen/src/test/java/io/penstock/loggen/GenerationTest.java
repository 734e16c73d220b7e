/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.loggen.draw.LineMutation;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.Counts;
import io.penstock.loggen.plan.LogForm;
import io.penstock.loggen.plan.LogScenario;
import io.penstock.loggen.plan.LogSetOptions;
import io.penstock.loggen.plan.PublishedRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationTest {
  private static final Set<LogForm> ALL =
      Set.of(LogForm.ACCESS_LOG, LogForm.CLOUDTRAIL, LogForm.EVENT_LOG);

  @TempDir private Path home;

  private static LogSetOptions options(long requests) {
    return options(LogScenario.THROTTLED, requests, ALL, 1, 2);
  }

  private static LogSetOptions options(
      LogScenario scenario, long requests, Set<LogForm> formats, int prefixes, int threads) {
    return new LogSetOptions(
        scenario, 9, requests, 7, formats, false, 0.005, prefixes, true, threads);
  }

  private Path generate(LogSetOptions options) throws Exception {
    Path directory = home.resolve("set-" + Parsed.files(home).size());
    new Generation(options, directory, false).run((done, of) -> {});
    return directory;
  }

  private static List<Parsed> requests(Path directory) throws IOException {
    Map<String, Parsed> byId = new TreeMap<>();
    Parsed.all(directory.resolve("access-log")).forEach(line -> byId.put(line.requestId(), line));
    return List.copyOf(byId.values());
  }

  private static Map<String, Long> count(List<Parsed> lines, Function<Parsed, String> what) {
    return lines.stream().collect(Collectors.groupingBy(what, TreeMap::new, Collectors.counting()));
  }

  private static List<Parsed> where(List<Parsed> lines, String operation, String status) {
    return lines.stream()
        .filter(line -> line.operation().equals(operation) && line.status().equals(status))
        .toList();
  }

  @Test
  void theLinesHaveTheCountsOfTheBenchmark() throws Exception {
    List<Parsed> lines = requests(generate(options(40_000)));

    assertThat(lines).hasSize(40_000);
    assertThat(count(lines, Parsed::operation))
        .isEqualTo(
            Map.of(
                "REST.POST.UPLOADS", 10_879L,
                "REST.PUT.PART", 12_660L,
                "REST.POST.UPLOAD", 15_896L,
                "REST.GET.OBJECT", 467L,
                "REST.HEAD.OBJECT", 53L,
                "REST.HEAD.BUCKET", 19L,
                "REST.GET.BUCKET", 26L));
    assertThat(where(lines, "REST.POST.UPLOADS", "503")).hasSize(818);
    assertThat(where(lines, "REST.PUT.PART", "503")).hasSize(2_599);
    assertThat(where(lines, "REST.POST.UPLOAD", "503")).hasSize(5_836);
    assertThat(where(lines, "REST.POST.UPLOAD", "200")).hasSize(10_060);
  }

  @Test
  void aFileIsOneUploadFromItsCreationToItsCompletion() throws Exception {
    List<Parsed> lines = requests(generate(options(20_000)));

    Map<String, Long> creates = count(where(lines, "REST.POST.UPLOADS", "200"), Parsed::key);
    Map<String, Long> completes = count(where(lines, "REST.POST.UPLOAD", "200"), Parsed::key);
    assertThat(creates).hasSize(5_030).isEqualTo(completes);
    assertThat(creates.values()).containsOnly(1L);
    Map<String, Set<String>> uploads = new TreeMap<>();
    for (Parsed line : lines) {
      Matcher upload = Pattern.compile("uploadId=([^&\" ]+)").matcher(line.uri());
      if (upload.find()) {
        uploads.computeIfAbsent(line.key(), any -> new HashSet<>()).add(upload.group(1));
      }
    }
    assertThat(uploads.values()).allMatch(ids -> ids.size() == 1);
  }

  @Test
  void theSameOptionsGiveTheSameBytesWithAnyNumberOfThreads() throws Exception {
    Path one = generate(options(LogScenario.THROTTLED, 70_000, ALL, 3, 1));
    Path four = generate(options(LogScenario.THROTTLED, 70_000, ALL, 3, 4));

    List<Path> files = Parsed.files(one);
    assertThat(files).hasSizeGreaterThan(10);
    assertThat(Parsed.files(four).stream().map(four::relativize).toList())
        .isEqualTo(files.stream().map(one::relativize).toList());
    for (Path file : files) {
      assertThat(Files.mismatch(file, four.resolve(one.relativize(file))))
          .as("%s", file)
          .isEqualTo(-1);
    }
  }

  @Test
  void theTailIsTheMeasuredOne() throws Exception {
    long requests = LogSetOptions.requestsAt(LogScenario.TAIL, 9, 0.01);
    Set<LogForm> access = Set.of(LogForm.ACCESS_LOG);
    List<Parsed> lines = requests(generate(options(LogScenario.TAIL, requests, access, 4, 2)));

    List<Parsed> parts = where(lines, "REST.PUT.PART", "200");
    assertThat(parts).hasSize(102_088);
    assertThat(parts.stream().filter(part -> part.totalMillis() > 5_000)).hasSize(266);
    assertThat(parts.stream().filter(part -> part.totalMillis() > 10_000)).hasSize(159);
    int[] sorted = parts.stream().mapToInt(Parsed::totalMillis).sorted().toArray();
    assertThat(sorted[25_522]).isEqualTo(48);
    assertThat(sorted[51_044]).isEqualTo(80);
    assertThat(sorted[96_983]).isBetween(878, 882);
  }

  @Test
  void aPartThatStragglesIsUploadedAgainAfterTenSeconds() throws Exception {
    for (LogScenario scenario : LogScenario.values()) {
      Set<LogForm> access = Set.of(LogForm.ACCESS_LOG);
      List<Parsed> lines = requests(generate(options(scenario, 30_000, access, 1, 2)));
      List<Parsed> slow =
          where(lines, "REST.PUT.PART", "200").stream()
              .filter(line -> line.second().equals("04/Jun/2026:03:27:47 +0000"))
              .filter(line -> line.totalMillis() > 29_000 && line.totalMillis() <= 30_000)
              .toList();
      assertThat(slow).as("%s", scenario).isNotEmpty();
      Parsed first = slow.get(0);
      assertThat(first.text()).contains(" 8388608 ");
      assertThat(lines)
          .anySatisfy(
              again -> {
                assertThat(again.uri()).isEqualTo(first.uri());
                assertThat(again.second()).isEqualTo("04/Jun/2026:03:27:57 +0000");
                assertThat(again.totalMillis()).isLessThan(1_000);
              });
    }
  }

  @Test
  void everyOddityIsThereAndStillReadable() throws Exception {
    LogSetOptions odd =
        new LogSetOptions(LogScenario.THROTTLED, 9, 20_000, 7, ALL, false, 0.2, 1, true, 2);
    Path directory = generate(odd);

    List<Parsed> lines = Parsed.all(directory.resolve("access-log"));
    String truth = Files.readString(directory.resolve("truth.json"));
    for (LineMutation oddity : LineMutation.values()) {
      if (oddity != LineMutation.NONE) {
        assertThat(truth).contains("\"" + oddity.name().toLowerCase(java.util.Locale.ROOT) + "\":");
      }
    }
    assertThat(lines).hasSize(20_000 + number(truth, "duplicates"));
    assertThat(requests(directory)).hasSize(20_000);
    assertThat(count(lines, line -> "" + line.fields()).keySet())
        .containsExactly("17", "18", "24", "25", "26", "27", "28");
    assertThat(lines).anyMatch(line -> line.text().endsWith(" -\";"));
    assertThat(lines).anyMatch(line -> line.text().contains("Отчёт"));
    assertThat(lines).anyMatch(line -> line.uri().equals("-"));
    long withoutEnd =
        Parsed.files(directory.resolve("access-log")).stream()
            .filter(file -> !read(file).endsWith("\n"))
            .count();
    assertThat(withoutEnd).isEqualTo(1);
  }

  @Test
  void withoutOddLinesEveryLineHasAllFields() throws Exception {
    LogSetOptions plain =
        new LogSetOptions(
            LogScenario.THROTTLED, 4, 5_000, 7, Set.of(LogForm.ACCESS_LOG), false, 0, 1, false, 2);
    Path directory = generate(plain);

    assertThat(Parsed.all(directory.resolve("access-log")))
        .hasSize(5_000)
        .allMatch(line -> line.fields() == 27)
        .noneMatch(line -> line.text().contains("audit.example.org"));
    assertThat(directory.resolve("event-log")).doesNotExist();
  }

  @Test
  void theTrailHasTheSameRequests() throws Exception {
    Path directory = generate(options(10_000));

    Set<String> ids = new HashSet<>();
    Pattern requestId = Pattern.compile("\"requestID\":\"([0-9A-F]{16})\"");
    long throttled = 0;
    for (Path file : Parsed.files(directory.resolve("cloudtrail"))) {
      assertThat(file.getFileName().toString())
          .matches("111122223333_CloudTrail_us-east-1_20260604T0[0-9]{3}Z_[0-9A-F]{16}.json.gz");
      String text = unzipped(file);
      assertThat(text).startsWith("{\"Records\":[{\"eventVersion\"").endsWith("}]}");
      requestId.matcher(text).results().forEach(found -> ids.add(found.group(1)));
      throttled += text.split("\"errorCode\":\"SlowDown\"", -1).length - 1;
    }
    assertThat(ids)
        .isEqualTo(requests(directory).stream().map(Parsed::requestId).collect(Collectors.toSet()));
    assertThat(throttled)
        .isEqualTo(number(Files.readString(directory.resolve("truth.json")), "throttled"));
  }

  @Test
  void theExecutorsOfTheEventLogAreTheNodesOfTheAccessLog() throws Exception {
    Path directory = generate(options(20_000));

    Path log =
        directory.resolve(
            "event-log/eventlog_v2_app-20260604032700-0007/events_1_app-20260604032700-0007");
    List<String> events = Files.readAllLines(log);
    assertThat(events.get(0))
        .isEqualTo("{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.1.1\"}");
    assertThat(events.get(events.size() - 1))
        .startsWith("{\"Event\":\"SparkListenerApplicationEnd\"");
    Set<String> hosts =
        events.stream()
            .filter(line -> line.contains("SparkListenerExecutorAdded"))
            .map(line -> line.replaceAll(".*\"Host\":\"([0-9.]+)\".*", "$1"))
            .collect(Collectors.toSet());
    Set<String> writers =
        where(requests(directory), "REST.PUT.PART", "200").stream()
            .map(Parsed::address)
            .collect(Collectors.toSet());
    assertThat(hosts).hasSize(200).isEqualTo(writers);
    assertThat(events.stream().filter(line -> line.contains("SparkListenerTaskEnd")))
        .hasSize(1_600);
    assertThat(log.resolveSibling("appstatus_app-20260604032700-0007")).isEmptyFile();
  }

  @Test
  void theFirstPrefixIsTheHotOne() throws Exception {
    Path directory =
        generate(options(LogScenario.THROTTLED, 20_000, Set.of(LogForm.ACCESS_LOG), 4, 2));

    List<Parsed> throttled =
        requests(directory).stream().filter(line -> line.status().equals("503")).toList();
    Map<String, Long> prefixes = count(throttled, line -> line.key().replaceAll("/part-.*", ""));
    assertThat(prefixes).hasSize(4);
    assertThat(prefixes.get("out/sales/ss_sold_date_sk%3D2450816"))
        .isGreaterThan((long) (0.6 * throttled.size()));
  }

  @Test
  void filesHaveTheNamesThatS3GivesThem() throws Exception {
    assertThat(Parsed.files(generate(options(10_000)).resolve("access-log")))
        .allMatch(
            file ->
                file.getFileName()
                    .toString()
                    .matches("2026-06-04-0[34]-[0-5][0-9]-[0-5][0-9]-[0-9A-F]{16}"));
  }

  @Test
  void aCompressedLogHasTheSameLines() throws Exception {
    Set<LogForm> access = Set.of(LogForm.ACCESS_LOG);
    Path plain = generate(options(LogScenario.THROTTLED, 5_000, access, 1, 2));
    Path gzip =
        generate(
            new LogSetOptions(LogScenario.THROTTLED, 9, 5_000, 7, access, true, 0.005, 1, true, 2));

    for (Path file : Parsed.files(plain.resolve("access-log"))) {
      Path other = gzip.resolve("access-log").resolve(file.getFileName() + ".gz");
      assertThat(unzipped(other)).isEqualTo(Files.readString(file));
    }
  }

  @Test
  void aCancelledGenerationLeavesNothing() {
    Path directory = home.resolve("cancelled");
    Generation generation = new Generation(options(200_000), directory, false);

    assertThatThrownBy(() -> generation.run((done, of) -> generation.cancel()))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the generation of logs was cancelled");
    assertThat(directory).doesNotExist();
  }

  @Test
  void aDirectoryWithFilesIsRefused() throws Exception {
    Files.writeString(home.resolve("precious"), "data");

    assertThatThrownBy(() -> new Generation(options(1_000), home, false).run((done, of) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not empty; name another directory, or add --force");
    assertThat(home.resolve("precious")).hasContent("data");
  }

  @Test
  void replacingTakesTheEarlierSetAndNothingElse() throws Exception {
    Path directory = generate(options(2_000));
    Files.writeString(directory.resolve("notes"), "mine");
    LogSetOptions other = options(LogScenario.TAIL, 3_000, Set.of(LogForm.ACCESS_LOG), 1, 2);

    new Generation(other, directory, true).run((done, of) -> {});

    try (Stream<Path> names = Files.list(directory)) {
      assertThat(names.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("access-log", "notes", "truth.json");
    }
    assertThat(requests(directory)).hasSize(3_000);
  }

  @Test
  void logsThatCameFromElsewhereAreNotReplaced() throws Exception {
    Path real = Files.createDirectories(home.resolve("mine/access-log"));
    Files.writeString(real.resolve("log"), "real");

    assertThatThrownBy(
            () -> new Generation(options(1_000), home.resolve("mine"), true).run((done, of) -> {}))
        .hasMessageContaining("has logs that did not come from here");
    assertThat(real.resolve("log")).hasContent("real");
  }

  @Test
  void everyRowCanBeGenerated() throws Exception {
    for (int row = 1; row <= 10; row++) {
      LogSetOptions options =
          new LogSetOptions(
              LogScenario.THROTTLED,
              row,
              3_000,
              7,
              Set.of(LogForm.ACCESS_LOG),
              false,
              0,
              1,
              true,
              2);
      Path directory = generate(options);
      Counts wanted = PublishedRun.of(row).counts().scaledTo(3_000);
      List<Parsed> lines = requests(directory);
      assertThat(lines).as("row %d", row).hasSize(3_000);
      for (Call call : Call.WRITES) {
        assertThat(where(lines, call.operation().logName(), "503"))
            .as("row %d, %s", row, call)
            .hasSize((int) wanted.throttled(call));
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String unzipped(Path file) throws IOException {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static int number(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":([0-9]+)").matcher(json);
    assertThat(matcher.find()).isTrue();
    return Integer.parseInt(matcher.group(1));
  }
}
