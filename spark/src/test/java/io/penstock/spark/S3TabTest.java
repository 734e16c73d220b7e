/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tab of a real application, its JSON, and its events in the event log. */
class S3TabTest {
  private static final String KEY = "s3://lake/s3tab/<b>&'t";

  private final HttpClient browser = HttpClient.newHttpClient();

  @TempDir Path logs;

  @Test
  void theTabTheJsonAndTheEventLogHaveTheRequestsThatTheStoreServed() throws Exception {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.plugins", "io.penstock.spark.PenstockPlugin");
    conf.put("spark.ui.enabled", "true");
    conf.put("spark.ui.port", "0");
    conf.put("spark.eventLog.enabled", "true");
    conf.put("spark.eventLog.dir", logs.toUri().toString());
    conf.put("spark.eventLog.rolling.enabled", "false");
    conf.put("spark.eventLog.compress", "false");
    SparkSession spark = Lake.alone(conf);
    try {
      Map<String, Long> served =
          Lake.requests(
              () -> {
                spark.range(1_000).repartition(3).write().parquet(KEY);
                spark.read().parquet(KEY).selectExpr("sum(id)").collectAsList();
              });
      String url = spark.sparkContext().uiWebUrl().get() + "/penstock/";
      HttpResponse<String> page = get(url);
      HttpResponse<String> script = get(url + "script/");
      HttpResponse<String> json = get(url + "json/");

      assertThat(page.body())
          .contains("S3 requests", "s3://lake/s3tab/&lt;b&gt;&amp;&#39;t", "data-live=\"true\"")
          .doesNotContain("<b>&'t")
          .contains("<script src=\"script/\">");
      assertThat(script.headers().firstValue("content-type").orElseThrow())
          .startsWith("text/javascript");
      assertThat(get(spark.sparkContext().uiWebUrl().get() + "/jobs/").body())
          .contains("/penstock/\">S3</a>");
      assertThat(json.headers().firstValue("content-type").orElseThrow())
          .startsWith("application/json");
      JsonNode report = new ObjectMapper().readTree(json.body());
      assertThat(requests(report)).isEqualTo(total(served));
      assertThat(report.get("queries")).hasSizeGreaterThanOrEqualTo(2);
      spark.stop();

      JsonNode last = lastEvent();
      assertThat(last.get("isFinal").asBoolean()).isTrue();
      assertThat(requests(last)).isEqualTo(total(served));
      assertThat(last.get("paths").get(0).get("name").asText()).isEqualTo("lake/s3tab/<b>&'t");
    } finally {
      spark.stop();
    }
  }

  @Test
  void onlyWhoMaySeeTheApplicationSeesTheTab() throws Exception {
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.plugins", "io.penstock.spark.PenstockPlugin");
    conf.put("spark.ui.enabled", "true");
    conf.put("spark.ui.port", "0");
    conf.put("spark.ui.filters", UserOfHeader.class.getName());
    conf.put("spark.acls.enable", "true");
    conf.put("spark.ui.view.acls", "friend");
    SparkSession spark = Lake.alone(conf);
    try {
      String ui = spark.sparkContext().uiWebUrl().get();
      for (String place : List.of("/jobs/", "/penstock/", "/penstock/json/", "/penstock/script/")) {
        assertThat(statusFor("friend", ui + place)).as(place).isEqualTo(200);
        assertThat(statusFor("stranger", ui + place)).as(place).isEqualTo(403);
      }
    } finally {
      spark.stop();
    }
  }

  private int statusFor(String user, String url) throws IOException, InterruptedException {
    return browser
        .send(
            HttpRequest.newBuilder(URI.create(url)).header("User", user).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private HttpResponse<String> get(String url) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        browser.send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(url).isEqualTo(200);
    return answer;
  }

  private static long requests(JsonNode report) {
    JsonNode total = report.get("total");
    return Stream.of("reads", "writes", "lists", "deletes")
        .mapToLong(kind -> total.get(kind).asLong())
        .sum();
  }

  private static long total(Map<String, Long> served) {
    return served.values().stream().mapToLong(Long::longValue).sum();
  }

  private JsonNode lastEvent() throws IOException {
    JsonNode last = null;
    List<Path> files;
    try (Stream<Path> all = Files.walk(logs)) {
      files = all.filter(file -> !file.getFileName().toString().startsWith(".")).toList();
    }
    for (Path file : files) {
      if (Files.isRegularFile(file)) {
        for (String line : Files.readAllLines(file)) {
          if (line.contains("\"Event\":\"io.penstock.spark.ui.PenstockRequests\"")) {
            last = new ObjectMapper().readTree(line).get("report");
          }
        }
      }
    }
    assertThat(last).as("an event in %s", files).isNotNull();
    return last;
  }
}
