/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spark.metrics.DeclaredMetric;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What Spark publishes, by the names that docs/metrics.md and the files beside it have. To make the
 * table anew: {@code ./mvnw verify -Dpenstock.docs.update=true}.
 */
class PublishedMetricsTest {
  private static final Path PAGE = Path.of("../docs/metrics.md");
  private static final String BEGIN = "<!-- metrics: made by PublishedMetricsTest -->\n";
  private static final String END = "<!-- end of metrics -->\n";
  private static final Path FILES = Path.of("../docs/monitoring");
  private static final Pattern SERIES = Pattern.compile("penstock_[a-z_]+");

  /** A rule of relabelling, as Prometheus applies it to the name of a metric. */
  private record Relabelling(Pattern name, boolean drops, String target, String replacement) {}

  @Test
  void thePageShowsTheMetricsAsTheyAreDeclared() throws IOException {
    String page = Files.readString(PAGE);
    if (Boolean.getBoolean("penstock.docs.update")) {
      int begin = page.indexOf(BEGIN) + BEGIN.length();
      Files.writeString(
          PAGE, page.substring(0, begin) + table() + page.substring(page.indexOf(END)));
    }
    assertThat(Files.readString(PAGE)).contains(BEGIN + table() + END);
  }

  private static String table() {
    StringBuilder table =
        new StringBuilder("| name | kind | unit | names are | what |\n|---|---|---|---|---|\n");
    for (DeclaredMetric metric : DeclaredMetric.ALL) {
      table.append(
          "| `%s` | %s | %s | %s | %s |\n"
              .formatted(
                  metric.name(),
                  metric.kind().name().toLowerCase(Locale.ROOT),
                  metric.unit(),
                  metric.stability().name().toLowerCase(Locale.ROOT),
                  metric.meaning()));
    }
    return table.toString();
  }

  @Test
  void whatPrometheusReadsHasTheNamesOfTheRulesAndOfTheDashboard() throws Exception {
    SparkSession spark =
        Lake.alone(
            Map.of(
                "spark.plugins", "io.penstock.spark.PenstockPlugin",
                "spark.ui.enabled", "true",
                "spark.ui.port", "0",
                "spark.metrics.conf.driver.sink.prometheusServlet.class",
                    "org.apache.spark.metrics.sink.PrometheusServlet",
                "spark.metrics.conf.driver.sink.prometheusServlet.path", "/metrics/prometheus"));
    Map<String, Map<String, String>> series;
    try {
      spark.range(10).write().parquet("s3://lake/published");
      series = series(spark);
      for (int i = 0; i < 200 && !series.containsKey("penstock_rate"); i++) {
        Thread.sleep(50); // the rate of a bucket appears with the next round of rate control
        series = series(spark);
      }
    } finally {
      spark.stop();
    }

    assertThat(series.keySet()).isEqualTo(declared());
    assertThat(series.get("penstock_rate"))
        .containsEntry("bucket", "lake")
        .containsKey("traffic")
        .containsKey("application");
    assertThat(series.get("penstock_waits").get("application")).startsWith("local_");
    assertThat(series.get("penstock_requests")).containsKey("operation");
    for (String file : List.of("alerts.yml", "grafana.json")) {
      Set<String> used = new TreeSet<>();
      SERIES
          .matcher(Files.readString(FILES.resolve(file)))
          .results()
          .map(MatchResult::group)
          .forEach(used::add);
      assertThat(used).as(file).isNotEmpty().isSubsetOf(series.keySet());
    }
  }

  private static Set<String> declared() {
    return DeclaredMetric.ALL.stream()
        .map(DeclaredMetric::name)
        .filter(name -> !name.startsWith("rate."))
        .map(name -> name.replaceAll("^clusterRate", "rate").replaceAll("\\.[A-Z].*", ""))
        .map(name -> "penstock_" + name.replace('.', '_'))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Reads what the driver publishes, and names it as prometheus.yml says. */
  private static Map<String, Map<String, String>> series(SparkSession spark) throws Exception {
    URI uri = URI.create(spark.sparkContext().uiWebUrl().get() + "/metrics/prometheus/");
    String text =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
            .body();
    List<Relabelling> rules = relabellings();
    Map<String, Map<String, String>> series = new TreeMap<>();
    for (String line : text.lines().toList()) {
      Map<String, String> labels = new TreeMap<>(Map.of("__name__", line.replaceAll("\\{.*", "")));
      if (relabel(rules, labels) && labels.get("__name__").startsWith("penstock_")) {
        series.put(labels.get("__name__"), labels);
      }
    }
    return series;
  }

  private static List<Relabelling> relabellings() throws IOException {
    Pattern rule =
        Pattern.compile(
            """
            regex: (.+)
             +(?:action: (.+)|target_label: (.+)
             +replacement: (.+))
            """
                .strip());
    return rule.matcher(Files.readString(FILES.resolve("prometheus.yml")))
        .results()
        .map(
            found ->
                new Relabelling(
                    Pattern.compile(found.group(1)),
                    found.group(2) != null,
                    found.group(3),
                    found.group(4)))
        .toList();
  }

  /** Returns false if the series is dropped. */
  private static boolean relabel(List<Relabelling> rules, Map<String, String> labels) {
    for (Relabelling rule : rules) {
      Matcher found = rule.name().matcher(labels.get("__name__"));
      if (found.matches()) {
        if (rule.drops()) {
          return false;
        }
        labels.put(rule.target(), found.replaceAll(rule.replacement()));
      }
    }
    return true;
  }

  @Test
  void inLocalModeEachCountIsShownOnce() {
    Lake.spark();
    List<String> names =
        CollectionConverters.asJava(
                SparkEnv.get()
                    .metricsSystem()
                    .getSourcesByName("plugin." + PenstockPlugin.class.getName()))
            .stream()
            .flatMap(source -> source.metricRegistry().getGauges().keySet().stream())
            .toList();

    assertThat(names).contains("requests.put").doesNotHaveDuplicates();
  }
}
