/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found in generated logs is what their truth says, to the last request. */
class AnalyzeTruthTest {
  @TempDir private static Path directory;

  private static Map<String, Object> truth;
  private static List<?> accessLog;

  @BeforeAll
  static void generate() throws IOException {
    truth = generate("logs", "--odd-lines=0.05", "--format=access-log,cloudtrail,event-log");
    accessLog = tables("logs/access-log", "T1,T2,files,records");
  }

  private static Map<String, Object> generate(String name, String... options) throws IOException {
    Path logs = directory.resolve(name);
    Ran ran =
        Ran.penstock(
            Stream.concat(
                    Stream.of("logs", "generate", logs.toString(), "--requests=6000"),
                    Stream.of(options))
                .toArray(String[]::new));
    assertThat(ran.err()).isEmpty();
    return Json.parseObject(Files.readString(logs.resolve("truth.json")));
  }

  private static List<?> tables(String log, String ids) throws IOException {
    Ran ran =
        Ran.penstock(
            "analyze",
            "--no-cache",
            "--format=json",
            "--tables=" + ids,
            directory.resolve(log).toString());
    assertThat(ran.err()).isEmpty();
    return (List<?>) Json.parseObject("{\"tables\":" + ran.out() + "}").get("tables");
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(List<?> tables, String id) {
    return tables.stream()
        .map(table -> (Map<String, Object>) table)
        .filter(table -> table.get("id").equals(id))
        .map(table -> (List<Map<String, Object>>) table.get("rows"))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> from, String name) {
    return (Map<String, Object>) from.get(name);
  }

  private static Map<String, Integer> truePerApi(String what) {
    Map<String, Integer> counts = new TreeMap<>();
    object(truth, "apis")
        .forEach(
            (api, facts) ->
                counts.put(
                    // The access log has one name for both versions of the call.
                    api.equals("ListObjectsV2") ? "ListObjects" : api,
                    (Integer) ((Map<?, ?>) facts).get(what)));
    return counts;
  }

  private static Map<String, Integer> foundPerApi(List<?> tables, String what) {
    Map<String, Integer> counts = new TreeMap<>();
    rows(tables, "T2").forEach(row -> counts.put((String) row.get("api"), (Integer) row.get(what)));
    return counts;
  }

  @Test
  void everyLineIsReadOddAsItMayBeAndARepeatedOneCountsOnce() {
    Map<String, Object> written = object(truth, "access_log");
    Map<String, Object> files = rows(accessLog, "Files").get(0);
    assertThat(object(written, "odd_lines")).hasSizeGreaterThan(5);
    assertThat(files)
        .containsEntry("files", written.get("files"))
        .containsEntry("records", written.get("lines"))
        .containsEntry("requests", written.get("lines"))
        .containsEntry("rejected", 0);
    assertThat(rows(accessLog, "Records")).isEmpty();
    assertThat((Integer) written.get("duplicates")).isPositive();
    assertThat(written)
        .containsEntry(
            "duplicates", (Integer) written.get("lines") - (Integer) truth.get("requests"));
  }

  @Test
  void theTotalsAreTheTruth() {
    assertThat(rows(accessLog, "T1").get(0))
        .containsEntry("requests", truth.get("requests"))
        .containsEntry("writes", truth.get("writes"))
        .containsEntry("throttled", truth.get("throttled"));
  }

  @Test
  void eachOperationHasItsRequestsAndThrottles() {
    assertThat(foundPerApi(accessLog, "requests")).isEqualTo(truePerApi("requests"));
    assertThat(foundPerApi(accessLog, "throttled")).isEqualTo(truePerApi("throttled"));
  }

  /** Without odd lines, some of which do not say which upload they belong to. */
  @Test
  void theWantedRequestsAreTheTrueChains() throws IOException {
    Map<String, Object> plain = generate("plain", "--odd-lines=0", "--format=access-log");
    List<?> tables = tables("plain/access-log", "T1,T9,T13");
    Map<String, Object> chains = object(plain, "chains");
    int reads = (Integer) plain.get("requests") - (Integer) plain.get("writes");
    assertThat(rows(tables, "T1").get(0))
        .containsEntry("logical_requests", (Integer) chains.get("chains") + reads);

    Map<String, Object> completed = object(object(plain, "apis"), "CompleteMultipartUpload");
    assertThat(rows(tables, "T13").get(0))
        .containsEntry("what", "files written")
        .containsEntry("files", completed.get("succeeded"));

    Map<String, Integer> found = new TreeMap<>();
    rows(tables, "T9")
        .forEach(row -> found.put(row.get("attempts").toString(), (Integer) row.get("chains")));
    Map<String, Integer> expected = new TreeMap<>();
    object(chains, "by_attempts").forEach((n, count) -> expected.put(n, (Integer) count));
    expected.merge("1", reads, Integer::sum);
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void cloudTrailTellsTheSame() throws IOException {
    List<?> trail = tables("logs/cloudtrail", "T1,T2");
    assertThat(rows(trail, "T1").get(0))
        .containsEntry("requests", truth.get("requests"))
        .containsEntry("throttled", truth.get("throttled"));
    assertThat(foundPerApi(trail, "throttled")).isEqualTo(truePerApi("throttled"));
  }
}
