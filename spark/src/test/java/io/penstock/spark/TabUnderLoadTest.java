/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.metrics.account.RequestSums.End;
import io.penstock.core.store.Operation;
import io.penstock.core.time.SystemTime;
import io.penstock.spark.account.DriverAccounts;
import io.penstock.spark.account.ExecutorAccounts;
import io.penstock.spark.ui.LiveReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * The tab of a real driver to which 1,000 simulated executors tell their requests: 10,000 a second,
 * of 300 stages.
 *
 * <p>{@code -Dpenstock.tab.seconds=300} lets it go on for so long, to look at the tab in a browser;
 * the address is printed.
 */
class TabUnderLoadTest {
  private static final int EXECUTORS = 1_000;
  private static final int REQUESTS_EACH = 10;
  private static final int STAGES = 300;
  private static final long SEED = 44;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final DriverAccounts driver = new DriverAccounts(new RequestAccounts());
  private final List<Executor> executors = new ArrayList<>();
  private long told;

  private static final class Executor {
    private final RequestAccounts accounts = new RequestAccounts();
    private final ExecutorAccounts section = new ExecutorAccounts(accounts);
  }

  /** A second's requests of all executors, each told as a real one tells them. */
  private void second(int second) throws IOException {
    for (int i = 0; i < EXECUTORS; i++) {
      Executor executor = executors.get(i);
      for (int request = 0; request < REQUESTS_EACH; request++) {
        request(executor.accounts, second);
      }
      byte[] answer = driver.answer("" + i, executor.section.question().orElseThrow());
      executor.section.answered(answer);
    }
  }

  private void request(RequestAccounts accounts, int second) {
    int stage = random.nextInt(STAGES);
    boolean isRead = random.nextInt(3) > 0;
    boolean isThrottled = !isRead && second / 5 % 2 == 1 && random.nextInt(4) == 0;
    long nanos = (long) (20_000_000 * Math.exp(random.nextGaussian()));
    Origin origin =
        new Origin(
            "app-1",
            OptionalLong.of(stage / 3),
            Optional.of(new Origin.Task(stage, 0, random.nextInt(200), told)));
    accounts.add(
        Client.PENSTOCK,
        isRead ? Operation.GET : Operation.PUT,
        "lake",
        "warehouse/db.db/some_table_%d/day=%d/part-0.parquet".formatted(stage % 40, stage),
        origin,
        new Attempted(
            nanos,
            isRead ? 0 : 1 << 20,
            isRead ? 1 << 20 : 0,
            isThrottled ? End.THROTTLED : End.OK,
            false,
            random.nextInt(500) == 0));
    told++;
  }

  @Test
  void thePageIsSmallAndItsSumsAreThoseThatWereTold() throws Exception {
    for (int i = 0; i < EXECUTORS; i++) {
      driver.executorAdded("" + i);
      executors.add(new Executor());
    }
    Map<String, String> conf = new HashMap<>();
    conf.put("spark.ui.enabled", "true");
    conf.put("spark.ui.port", "0");
    SparkSession spark = Lake.alone(conf);
    LiveReport report =
        LiveReport.start(
            spark.sparkContext(),
            driver,
            () -> new HedgeMetrics.Count(0, 0, 0, 0, 0, 0),
            Map::of,
            SystemTime.INSTANCE);
    try {
      String url = spark.sparkContext().uiWebUrl().get() + "/penstock/";
      int seconds = Integer.getInteger("penstock.tab.seconds", 5);
      boolean isWatched = seconds > 5;
      if (isWatched) {
        System.out.println("the tab, for " + seconds + " s: " + url);
      }
      for (int second = 0; second < seconds; second++) {
        long begin = System.currentTimeMillis();
        second(second);
        Thread.sleep(isWatched ? Math.max(0, 1_000 - (System.currentTimeMillis() - begin)) : 0);
      }
      String page = get(url);
      assertThat(page.length()).isLessThan(300_000);
      assertThat(page).contains("S3 requests", "some_table_1", "900 with fewer requests");
      JsonNode json = new ObjectMapper().readTree(get(url + "json/"));
      assertThat(json.get("total").get("reads").asLong() + json.get("total").get("writes").asLong())
          .isEqualTo(told);
      assertThat(json.get("executors")).hasSize(EXECUTORS);
      assertThat(json.get("stages")).hasSize(STAGES);
      assertThat(sum(json.get("executors"))).isEqualTo(told);
      assertThat(sum(json.get("stages"))).isEqualTo(told);
      assertThat(sum(json.get("queries"))).isEqualTo(told);
      assertThat(sum(json.get("paths"))).isEqualTo(told);
    } finally {
      report.close();
      spark.stop();
    }
  }

  private static long sum(JsonNode rows) {
    long requests = 0;
    for (JsonNode row : rows) {
      requests += row.get("requests").asLong();
    }
    return requests;
  }

  private static String get(String url) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(url).isEqualTo(200);
    return answer.body();
  }
}
