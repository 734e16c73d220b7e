/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.tables.Table;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HtmlReportTest {
  private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);
  private static final Pattern STYLE = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL);
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"plots\">(.*?)</script>");
  private static final Pattern TAG = Pattern.compile("<([a-z][^<>]*)>");
  private static final Pattern ID = Pattern.compile("<[a-z0-9]+ [^<>]*\\bid=\"([^\"]*)\"");
  private static final Pattern LINK = Pattern.compile("<a [^<>]*href=\"([^\"]*)\"");
  private static final Pattern POLICY =
      Pattern.compile("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"");

  private static String html(Page page) throws IOException {
    StringWriter out = new StringWriter();
    HtmlReport.write(page, out);
    return out.toString();
  }

  private static List<String> all(Pattern pattern, String html) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(html);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static String sha256(String block) throws GeneralSecurityException {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(block.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  static Stream<Page> pages() {
    return Stream.of(SamplePage.of(), SamplePage.hostile());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void onlyOurOwnScriptsAndStyleMayRun(Page page) throws Exception {
    String html = html(page);
    List<String> scripts = all(SCRIPT, html);
    List<String> styles = all(STYLE, html);
    assertThat(scripts).hasSize(2);
    assertThat(styles).hasSize(1);
    assertThat(all(POLICY, html))
        .containsExactly(
            "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src "
                + sha256(styles.get(0))
                + "; script-src "
                + sha256(scripts.get(0))
                + " "
                + sha256(scripts.get(1)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void nothingIsLoadedAndNothingIsInline(Page page) throws IOException {
    String ours = SCRIPT.matcher(html(page)).replaceAll("");
    assertThat(ours).doesNotContain("url(", "@import");
    // A name may say what it likes inside the quotes of an attribute.
    assertThat(all(TAG, ours.replaceAll("=\"[^\"]*\"", "=\"\"")))
        .allMatch(
            tag ->
                !tag.matches("(?s)(img|link|iframe|object|base|form)\\b.*")
                    && !tag.matches("(?s).*\\s(src|on[a-z]+|style)\\s*=.*"),
            "loads nothing and has no handler");
    assertThat(all(LINK, ours)).allMatch(target -> target.startsWith("#"), "is on the page");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aReportIsSmall(Page page) throws IOException {
    assertThat(html(page).getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(1_700_000);
  }

  @Test
  void aHostileNameStaysText() throws IOException {
    String html = html(SamplePage.hostile());
    String ours = SCRIPT.matcher(html).replaceAll("");
    assertThat(ours)
        .doesNotContain("alert(1)</script>", "<img", "\u2028", "\u202e", "\u0007")
        .contains(
            "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x"
                + " onerror=alert(2)&gt;&quot;&#39;&amp;{a|b}\\u2028\\u202e\\u0007مرحبا");
  }

  @Test
  void theDataOfChartsIsJsonThatCannotEndItsElement() throws IOException {
    List<String> data = all(DATA, html(SamplePage.hostile()));
    assertThat(data).hasSize(1);
    assertThat(data.get(0)).doesNotContain("<", ">", "&", "\u2028", "\u2029");
    Map<String, Object> charts = Json.parseObject(data.get(0));
    assertThat(charts)
        .containsOnlyKeys(
            "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12");
    Map<String, Object> prefixes = Json.object(charts.get("P5")).orElseThrow();
    assertThat(Json.array(prefixes.get("rows")).toString())
        .contains("</script><script>alert(1)</script>", "(root)");
  }

  @Test
  void everyPlotHasItsTableAndASketch() throws IOException {
    String html = html(SamplePage.of());
    for (int plot = 1; plot <= 12; plot++) {
      int from = html.indexOf("<div class=\"item\" id=\"P" + plot + "\">");
      int to = html.indexOf("<div class=\"item\"", from + 1);
      assertThat(html.substring(from, to < 0 ? html.indexOf("<footer>") : to))
          .as("P%d", plot)
          .contains("<svg class=\"sketch\" role=\"img\"", "<summary>Numbers</summary>", "<caption")
          .doesNotContain("NaN", "Infinity");
    }
  }

  @Test
  void aTableHasNumbersForPeopleAndForSorting() throws IOException {
    assertThat(html(SamplePage.of()))
        .contains(
            "<th scope=\"col\" class=\"w24\">api</th><th scope=\"col\" class=\"n\">requests</th>",
            "<tr><td>UploadPart</td><td class=\"n\" data-v=\"728803\">728,803</td>"
                + "<td class=\"n\" data-v=\"31.65\">31.65 %</td>",
            "<td class=\"f\" data-v=\"1717512069000\">2024-06-04 14:41:09</td>");
  }

  @Test
  void aFindingSaysWhatToChange() throws IOException {
    assertThat(html(SamplePage.of()))
        .contains(
            "<h3><span class=\"severity\">costly</span> Each file of 5.2 MiB costs three write"
                + " requests <small>R3 file-size</small></h3>",
            "<li>median output file 5.2 MiB</li>",
            "<code>spark.sql.files.maxRecordsPerFile</code></th><td><code>500000</code></td>"
                + "<td><code>0</code></td>");
  }

  @Test
  void whatHasANameIsReachedByItAndByItsId() throws IOException {
    String html = html(SamplePage.of());
    assertThat(html)
        .contains(
            "<div class=\"item\" id=\"P1\"><h3 id=\"requests-over-time\">Requests and throttled"
                + " requests a second <small>P1 requests-over-time</small></h3>",
            "href=\"#requests-over-time\"",
            "id=\"rule-file-size\"");
    assertThat(all(ID, html)).doesNotHaveDuplicates();
    Map<String, Object> charts = Json.parseObject(all(DATA, html).get(0));
    assertThat(Json.object(charts.get("P3")).orElseThrow()).containsEntry("name", "latency-curve");
  }

  @Test
  void theSqlBehindATableIsShown() throws IOException {
    assertThat(html(SamplePage.of())).contains("<code>SELECT started &lt; 1\n  FROM x</code>");
  }

  @Test
  void theLicencesOfWhatIsInsideAreThere() throws IOException {
    assertThat(html(SamplePage.of()))
        .contains("Apache License", "Apache ECharts", "Baidu Inc.", "Mike Bostock");
  }

  @Test
  void anEmptyPageIsAPage() throws IOException {
    String html = html(new Page("Nothing", List.of(), List.of(), List.of(), List.of()));
    assertThat(html).contains("<h1>Nothing</h1>").hasSizeLessThan(60_000);
  }

  @Test
  void plotsOfNothingSaySo() throws IOException {
    Table none = new Table("T0", "", List.of(), List.of());
    List<Item> items =
        List.of(
            RatePlots.requests(none, none),
            RatePlots.byApi(none),
            LatencyPlots.tail(none),
            LatencyPlots.heat(none),
            PlacePlots.prefixes(none),
            PlacePlots.executors(none),
            RetryPlots.timeline(none, ""),
            LatencyPlots.whatIf(none),
            SizePlots.sizes(none),
            StagePlots.stages(none),
            RetryPlots.attempts(none),
            RatePlots.compare("a", none, "b", none));
    PageSection section = new PageSection("All", "", items);
    String html = html(new Page("Nothing", List.of(), List.of(), List.of(), List.of(section)));
    assertThat(html.split("Nothing of this in these logs", -1)).hasSize(13);
  }
}
