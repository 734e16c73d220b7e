/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableFormatsTest {
  private static final Table BY_API =
      new Table(
          "T2",
          "Requests by API",
          List.of(
              new Column("api", Kind.TEXT),
              new Column("requests", Kind.COUNT),
              new Column("thr_pct", Kind.PERCENT),
              new Column("p50_ms", Kind.MILLIS)),
          List.of(
              Arrays.asList("UploadPart", 10_208_803L, 0.16, 80.0),
              Arrays.asList("HeadObject", 12L, null, Double.NaN)));

  private static Table texts(String... values) {
    return new Table(
        "T0",
        "Texts",
        List.of(new Column("text", Kind.TEXT)),
        Arrays.stream(values).<List<Object>>map(List::of).toList());
  }

  private static List<String> csv(Table table) throws IOException {
    StringBuilder out = new StringBuilder();
    TableCsv.write(table, out);
    return List.of(out.toString().split("\r\n", -1));
  }

  private static String json(Table table) throws IOException {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = JsonText.generator(out)) {
      TableJson.write(table, json);
    }
    return out.toString();
  }

  @Test
  void csvIsPlain() throws IOException {
    assertThat(csv(BY_API))
        .containsExactly(
            "api,requests,thr_pct,p50_ms", "UploadPart,10208803,0.16,80.0", "HeadObject,12,,", "");
  }

  @Test
  void csvQuotesAndStartsNoFormula() throws IOException {
    assertThat(csv(texts("a,b", "say \"x\"", "=cmd|'x'", "+1", "-1", "@x", "two\nlines", "")))
        .containsExactly(
            "text",
            "\"a,b\"",
            "\"say \"\"x\"\"\"",
            "'=cmd|'x'",
            "'+1",
            "'-1",
            "'@x",
            "two\\u000alines",
            "",
            "");
  }

  @Test
  void aNegativeNumberIsNoFormula() throws IOException {
    List<Column> columns = List.of(new Column("change", Kind.NUMBER));
    assertThat(csv(new Table("T20", "", columns, List.of(List.of(-1.5)))))
        .containsExactly("change", "-1.5", "");
  }

  @Test
  void jsonHasTypedRows() throws IOException {
    Map<String, Object> parsed = Json.parseObject(json(BY_API));
    assertThat(parsed).containsEntry("id", "T2").containsEntry("title", "Requests by API");
    assertThat(json(BY_API)).contains("{\"name\":\"thr_pct\",\"kind\":\"percent\"}");
    assertThat(Json.object(Json.array(parsed.get("rows")).get(1)).orElseThrow())
        .containsEntry("api", "HeadObject")
        .containsEntry("requests", 12)
        .containsEntry("thr_pct", null)
        .containsEntry("p50_ms", null);
  }

  @Test
  void jsonIsHarmlessInAPage() throws IOException {
    String hostile = "</script><script>alert(1)</script>&\u2028\u2029\u202e\u009b\ud83d\u0007";
    String json = json(texts(hostile));
    assertThat(json).doesNotContain("<", ">", "&", "\u2028", "\u2029", "\u202e", "\u009b");
    Map<String, Object> row =
        Json.object(Json.array(Json.parseObject(json).get("rows")).get(0)).get();
    assertThat(row).containsEntry("text", hostile);
    assertThat(json(texts("🎈 день"))).contains("🎈 день".substring(2)).doesNotContain("\ufffd");
  }

  @Test
  void jsonTimesAreOfIso8601() throws IOException {
    Table table =
        new Table(
            "T14",
            "",
            List.of(new Column("at", Kind.TIME), new Column("ok", Kind.FLAG)),
            List.of(List.of(Instant.parse("2024-06-04T14:40:12Z"), true)));
    assertThat(json(table)).contains("{\"at\":\"2024-06-04T14:40:12Z\",\"ok\":true}");
  }

  @Test
  void markdownAlignsAndEscapes() throws IOException {
    StringBuilder out = new StringBuilder();
    TableMarkdown.write(BY_API, out);
    TableMarkdown.write(texts("a|b", "<b>&[x](y) `c` *d*"), out);
    assertThat(out)
        .hasToString(
            """
            ### T2 Requests by API

            | api | requests | thr % | p50 |
            |---|---:|---:|---:|
            | UploadPart | 10,208,803 | 0.16 % | 80 ms |
            | HeadObject | 12 | - | - |
            ### T0 Texts

            | text |
            |---|
            | a\\|b |
            | &lt;b&gt;&amp;\\[x\\](y) \\`c\\` \\*d\\* |
            """);
  }

  @Test
  void theNameIsAKeyBesideTheIdAndStandsBehindTheTitle() throws IOException {
    Label label = new Label("T4", "top-seconds", "Top 10 seconds");
    Table table = new Table(label, List.of(new Column("api", Kind.TEXT)), List.of());
    Object parsed = Json.array(Json.parse(TableJson.array(List.of(table)))).get(0);
    assertThat(Json.object(parsed).orElseThrow())
        .containsEntry("id", "T4")
        .containsEntry("name", "top-seconds")
        .containsEntry("title", "Top 10 seconds");
    StringBuilder markdown = new StringBuilder();
    TableMarkdown.write(table, markdown);
    assertThat(markdown.toString()).startsWith("### T4 Top 10 seconds `top-seconds`\n");
  }
}
