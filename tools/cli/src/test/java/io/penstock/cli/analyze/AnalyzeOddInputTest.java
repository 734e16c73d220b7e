/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no log, a broken one or a hostile one is counted and shown, and breaks nothing. */
class AnalyzeOddInputTest {
  private static final String ESCAPE = "\u001b";

  @TempDir private Path directory;

  private static String line(int number) {
    return line(number, "06/Feb/2026:00:00:%02d +0000".formatted(number % 60), "100 20 10", "aws");
  }

  private static String line(int number, String time, String measures, String agent) {
    return ("own lake [%s] 10.0.0.1 arn:aws:iam::1:role/x R%d REST.PUT.OBJECT out/%d"
            + " \"PUT /out/%d HTTP/1.1\" 200 - - %s \"-\" \"%s\" - h SigV4 c AuthHeader s3"
            + " TLSv1.2 - -\n")
        .formatted(time, number, number, number, measures, agent);
  }

  private static String lines(int count) {
    return IntStream.range(0, count).mapToObj(i -> line(i)).collect(Collectors.joining());
  }

  private Path file(String name, String text) throws IOException {
    return file(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(String name, byte[] content) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  private static byte[] zipped(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  private static Ran analyze(Object... arguments) {
    return Ran.penstock(
        Stream.concat(
                Stream.of("analyze", "--no-cache"), Arrays.stream(arguments).map(Object::toString))
            .toArray(String[]::new));
  }

  /** The first screen without its line breaks. */
  private static String said(Ran ran) {
    return ran.out().replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "127.0.0.1 - - [06/Feb/2026:00:00:38 +0000] \"GET / HTTP/1.1\" 200 12 \"-\" \"curl\"",
        "2026-01-01 10:00:00 install foo:amd64 <none> 1.0",
        "{\"a\":1,\"b\":[1,2,3]}",
        "null",
      })
  void aFileThatIsNoLogIsNamedAndFails(String text) throws IOException {
    Ran ran = analyze(file("strange.log", (text + "\n").repeat(60)));
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .startsWith("penstock: the file is not a log: ")
        .contains("strange.log (no log known here). Known are S3 server access logs")
        .hasLineCount(1);
  }

  @Test
  void ofFilesThatAreNoLogsTheFirstAreNamed() throws IOException {
    file("d/a", new byte[0]);
    file("d/b", zipped(new byte[5000]));
    file("d/c", "x");
    file("d/e", "y");
    Ran ran = analyze(directory.resolve("d"));
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.complaint())
        .startsWith("penstock: none of the 4 files is a log: ")
        .contains("a (empty), ", "b (no log known here), ", ", …. Known are");
  }

  @Test
  void aLogWithoutRequestsSaysWhyAndIsNoFailure() throws IOException {
    String own = line(1).replace("REST.PUT.OBJECT", "S3.EXPIRE.OBJECT");
    Ran ran = analyze(file("own.log", own));
    assertThat(ran.exitCode()).isZero();
    assertThat(said(ran))
        .contains(
            "none in these logs: 1 skipped (S3's own work, such as lifecycle rules). Requests")
        .doesNotContain("null");
  }

  @Test
  void whatTheFilterLeavesNothingOfSaysWhatThereIs() throws IOException {
    Path log = file("access.log", lines(20));
    Ran ran = analyze("--from=2027-01-01T00:00:00", log);
    assertThat(ran.exitCode()).isZero();
    assertThat(said(ran))
        .contains("none of the 20 in these logs is looked at")
        .contains("they are from 2026-02-06 00:00:00 to 2026-02-06 00:00:19 UTC");
  }

  @Test
  void noTerminalSeesWhatALogWouldTellIt() throws IOException {
    String hostile = "<script>alert(1)</script>" + ESCAPE + "[31m";
    String log =
        lines(150)
            .replace("out/", hostile + "/")
            .replace("lake", "b" + ESCAPE + "]0;x")
            .replace("REST.PUT.OBJECT", "REST." + hostile);
    Path html = directory.resolve("report.html");
    Ran ran = analyze(file("hostile.log", log), "--html", html);
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out() + ran.err()).doesNotContain(ESCAPE);
    assertThat(analyze("--tables=all", directory.resolve("hostile.log")).out())
        .doesNotContain(ESCAPE);
    assertThat(html).content().doesNotContain("<script>alert", ESCAPE);
  }

  @Test
  void numbersAndTimesThatCannotBeAreCountedAndHarmNothing() throws IOException {
    String log =
        line(900, "01/Jan/0001:00:00:00 +0000", "1 2 3", "a")
            + line(901, "31/Dec/9999:23:59:59 +0000", "1 2 3", "a")
            + line(902, "31/Dec/9999:23:59:59 -1200", "1 2 3", "a")
            + line(903, "30/Feb/2026:00:00:00 +0000", "1 2 3", "a")
            + line(904, "01/Jan/2026:00:00:00 +0000", "999999999999999999 2 3", "a")
            + line(905, "01/Jan/2026:00:00:00 +0000", "1 999999999999999999 3", "a")
            + line(906, "01/Jan/2026:00:00:00 +0000", "1 -2 3", "a")
            + lines(200);
    Path html = directory.resolve("report.html");
    Ran ran = analyze(file("wild.log", log), "--html", html);
    assertThat(ran.exitCode()).isZero();
    assertThat(said(ran))
        .contains("207 records, 7 cannot be read")
        .contains("Window 2026-")
        .doesNotContain("9999-");
    assertThat(html).isNotEmptyFile();
  }

  @Test
  void bytesOfAnySortInALineHarmNothing() throws IOException {
    byte[] wild = lines(100).replace("out/", "o\u0000t/").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < wild.length; i++) {
      if (wild[i] == 'w') {
        wild[i] = (byte) 0xff;
      }
    }
    Ran ran = analyze("--tables=all", "--threads=1", "--memory=100", file("bytes.log", wild));
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).doesNotContain("\u0000");
  }

  @Test
  void whatAPackedLogHeldBeforeItWasCutIsReadAndTheCutShown() throws IOException {
    byte[] packed = zipped(lines(5000).getBytes(StandardCharsets.UTF_8));
    Ran ran = analyze(file("cut.gz", Arrays.copyOf(packed, packed.length / 2)));
    assertThat(ran.exitCode()).isZero();
    assertThat(said(ran)).contains("1 file is damaged");
  }

  @Test
  void aLineOfManyPartsIsReadOnceAndNotOncePerPart() throws IOException {
    Path file = file("long.log", lines(50));
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(2L << 30);
    }
    Ran ran = analyze(file);
    assertThat(said(ran))
        .contains("51 records, 1 cannot be read")
        .contains("50 attempts at 50 requests");
  }

  @Test
  void linksAreFollowedToFilesAndWhatCannotBeReadIsNamed() throws IOException {
    file("d/access.log", lines(10));
    Path outside = file("elsewhere", lines(30));
    Path inside = directory.resolve("d");
    Files.createSymbolicLink(inside.resolve("link"), outside);
    Files.createSymbolicLink(inside.resolve("same"), inside.resolve("access.log"));
    Files.createSymbolicLink(inside.resolve("to-nothing"), directory.resolve("nowhere"));
    Files.createSymbolicLink(inside.resolve("up"), directory);
    Files.createSymbolicLink(directory.resolve("d-link"), inside);
    for (String name : List.of("d", "d-link")) {
      Ran ran = analyze(directory.resolve(name), directory.resolve("d/access.log"));
      assertThat(ran.exitCode()).isZero();
      assertThat(said(ran))
          .contains("4 files, ")
          .contains("40 records, 10 are duplicates")
          .contains("2 files cannot be read (to-nothing: it is a link to nothing, …)");
    }
  }

  @Test
  void aPipeIsNotWaitedFor() {
    Ran ran = analyze("/dev/zero");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.complaint()).contains("/dev/zero (cannot be read: it is a pipe, a socket");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--from=2026-02-06T00:01:00 --to=2026-02-06T00:00:00 | nothing is from 2026-02-06T00:01:00Z"
            + " on and",
        "--from=+10000-01-01T00:00:00 | years are 1 to 9999",
        "--source=syslog | there is no source syslog; there are access_log, request_log,"
            + " cloudtrail, client_log",
        "--memory=5 | needs 100 MiB and a thread at least",
        "--threads=0 | needs 100 MiB and a thread at least",
        "--html=/nowhere/report.html | there is no directory /nowhere",
        "--html=/ | is a directory; name a file",
        "--cache=/tmp | --cache and --no-cache exclude each other",
      })
  void whatMakesNoSenseIsWrongUsage(String options, String complaint) throws IOException {
    Path log = file("access.log", lines(3));
    Ran ran = analyze(Stream.concat(Stream.of(options.split(" ")), Stream.of(log)).toArray());
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint()).startsWith("penstock: ").contains(complaint);
  }

  @Test
  void aDamagedCacheIsReadAnew() throws IOException {
    Path log = file("access.log", lines(120));
    Path cache = directory.resolve("cache [1]*");
    String first = cached(cache, log).out();
    for (Path kept : kept(cache)) {
      byte[] content = Files.readAllBytes(kept);
      content[content.length / 2] ^= 0x55;
      Files.write(kept, content);
    }
    assertThat(cached(cache, log).out()).isEqualTo(first);
    for (Path kept : kept(cache)) {
      Files.write(kept, Arrays.copyOf(Files.readAllBytes(kept), 100));
    }
    assertThat(cached(cache, log).out()).isEqualTo(first);
    try (Stream<Path> sets = Files.list(cache)) {
      assertThat(sets).as("nothing of a run is left beside").hasSize(1);
    }
  }

  @Test
  void aCacheThatCannotBeSaysWhatToDo() throws IOException {
    Path log = file("access.log", lines(3));
    Ran ran = cached(log, log);
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.complaint())
        .isEqualTo(
            "penstock: the cache "
                + log
                + " cannot be used (it is a file, not a directory); name another directory with"
                + " --cache, or add --no-cache");
  }

  private static Ran cached(Path cache, Path log) {
    return Ran.penstock("analyze", "--cache", cache.toString(), log.toString());
  }

  private static List<Path> kept(Path cache) throws IOException {
    try (Stream<Path> all = Files.walk(cache)) {
      return all.filter(file -> file.toString().endsWith(".parquet")).toList();
    }
  }
}
