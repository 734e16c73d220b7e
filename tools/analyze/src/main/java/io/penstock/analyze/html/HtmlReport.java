/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.tables.Label;
import io.penstock.tables.format.JsonText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A report as a single HTML file. It loads nothing, needs no server, and can be read without
 * JavaScript and in print. Text from a log is always escaped, and a content security policy allows
 * no scripts except the two in the file.
 */
public final class HtmlReport {
  private static final int OPEN_FINDINGS = 3;

  private final Page page;
  private final Html html;

  private HtmlReport(Page page, Html html) {
    this.page = page;
    this.html = html;
  }

  /** Writes the page. The writer must encode as UTF-8 and is not closed. */
  public static void write(Page page, Writer out) throws IOException {
    new HtmlReport(page, new Html(out)).write();
    out.flush();
  }

  private void write() throws IOException {
    String style = Assets.style();
    List<String> scripts =
        hasCharts() ? List.of(Assets.echarts(), Assets.script()) : List.of(Assets.script());
    String scriptSource = String.join(" ", scripts.stream().map(Assets::hash).toList());
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src");
    html.raw(" data:; base-uri 'none'; form-action 'none'; style-src ").raw(Assets.hash(style));
    html.raw("; script-src ").raw(scriptSource).raw("\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.raw("<meta name=\"referrer\" content=\"no-referrer\">\n");
    html.element("title", page.title()).raw("\n<style>").raw(style).raw("</style>\n</head>\n");
    html.raw("<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n");
    head();
    html.raw("<div class=\"page\">\n");
    contents();
    html.raw("<main id=\"main\">\n");
    lead();
    findings();
    for (int i = 0; i < page.sections().size(); i++) {
      section(i);
    }
    html.raw("</main>\n</div>\n");
    foot();
    html.raw("<script type=\"application/json\" id=\"plots\">").raw(charts()).raw("</script>\n");
    for (String script : scripts) {
      html.raw("<script>").raw(script).raw("</script>\n");
    }
    html.raw("</body>\n</html>\n");
  }

  private boolean hasCharts() {
    return !plots().isEmpty();
  }

  private List<Plot> plots() {
    List<Plot> plots = new ArrayList<>();
    for (PageSection section : page.sections()) {
      for (Item item : section.items()) {
        if (item instanceof Plot plot && plot.chart().isPresent()) {
          plots.add(plot);
        }
      }
    }
    return plots;
  }

  private String charts() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JsonText.generator(text)) {
      json.writeStartObject();
      for (Plot plot : plots()) {
        json.writeObjectFieldStart(plot.id());
        json.writeStringField("name", plot.label().name());
        json.writeStringField("title", plot.title());
        plot.chart().orElseThrow().write(new ChartJson(json));
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  private void head() throws IOException {
    html.raw("<header>\n").element("h1", page.title());
    for (String line : page.subtitle()) {
      html.element("p", line);
    }
    if (!page.figures().isEmpty()) {
      html.raw("<dl class=\"figures\">\n");
      for (Figure figure : page.figures()) {
        html.open("div", "class", figure.tone().cssClass());
        html.element("dt", figure.label()).element("dd", figure.value());
        if (!figure.note().isEmpty()) {
          html.element("dd", figure.note(), "class", "note");
        }
        html.raw("</div>\n");
      }
      html.raw("</dl>\n");
    }
    html.raw("</header>\n");
  }

  private void contents() throws IOException {
    html.raw("<nav aria-label=\"Contents\">\n<ul>\n");
    if (!page.findings().isEmpty()) {
      html.raw("<li><a href=\"#findings\">Findings</a></li>\n");
    }
    for (int i = 0; i < page.sections().size(); i++) {
      PageSection section = page.sections().get(i);
      html.raw("<li>").element("a", section.title(), "href", "#section-" + (i + 1)).raw("<ul>");
      for (Item item : section.items()) {
        html.raw("<li>").element("a", item.title(), "href", "#" + item.label().name());
        html.raw("</li>\n");
      }
      html.raw("</ul></li>\n");
    }
    html.raw("</ul>\n</nav>\n");
  }

  private void findings() throws IOException {
    if (page.findings().isEmpty()) {
      return;
    }
    html.raw("<section id=\"findings\">\n<h2>Findings</h2>\n");
    List<Remark> all = page.findings();
    int open = Math.min(OPEN_FINDINGS, all.size());
    for (Remark remark : all.subList(0, open)) {
      finding(remark);
    }
    if (open < all.size()) {
      int more = all.size() - open;
      html.raw("<details class=\"more\">");
      html.element("summary", more == 1 ? "One more finding" : more + " more findings");
      for (Remark remark : all.subList(open, all.size())) {
        finding(remark);
      }
      html.raw("</details>\n");
    }
    html.raw("</section>\n");
  }

  /** Returns the plot that stands first, so that it is seen without scrolling. */
  private Optional<Item> first() {
    return page.sections().stream()
        .flatMap(section -> section.items().stream())
        .filter(item -> item instanceof Plot plot && plot.chart().isPresent())
        .findFirst();
  }

  private void lead() throws IOException {
    if (first().isPresent() && !page.findings().isEmpty()) {
      new ItemHtml(html).write(first().get());
    }
  }

  private boolean isLead(Item item) {
    return !page.findings().isEmpty() && first().filter(lead -> lead == item).isPresent();
  }

  private void finding(Remark remark) throws IOException {
    Label label = remark.label();
    html.open(
        "article", "class", "finding " + remark.tone().cssClass(), "id", "rule-" + label.name());
    html.raw("<h3>").element("span", remark.severity(), "class", "severity").raw(" ");
    html.text(label.title()).raw(" ").element("small", label.idAndName());
    html.raw("</h3>\n").element("p", remark.text());
    if (!remark.evidence().isEmpty()) {
      html.raw("<ul class=\"evidence\">");
      for (String evidence : remark.evidence()) {
        html.element("li", evidence);
      }
      html.raw("</ul>\n");
    }
    if (!remark.advice().isEmpty()) {
      html.raw("<p class=\"advice\"><b>Advice:</b> ").text(remark.advice()).raw("</p>\n");
    }
    if (!remark.settings().isEmpty()) {
      settings(remark);
    }
    html.raw("</article>\n");
  }

  private void settings(Remark remark) throws IOException {
    html.raw("<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"Settings\">");
    html.raw(
        "<table class=\"settings\"><thead><tr><th scope=\"col\">setting</th><th"
            + " scope=\"col\">now</th>");
    html.raw("<th scope=\"col\">recommended</th></tr></thead><tbody>");
    for (Remark.Setting setting : remark.settings()) {
      html.raw("<tr><th scope=\"row\">").element("code", setting.name()).raw("</th>");
      html.raw("<td>").element("code", setting.now()).raw("</td>");
      html.raw("<td>").element("code", setting.recommended()).raw("</td></tr>\n");
    }
    html.raw("</tbody></table></div>\n");
  }

  private void section(int index) throws IOException {
    PageSection section = page.sections().get(index);
    html.open("section", "id", "section-" + (index + 1)).element("h2", section.title());
    if (!section.text().isEmpty()) {
      html.element("p", section.text());
    }
    for (Item item : section.items()) {
      if (!isLead(item)) {
        new ItemHtml(html).write(item);
      }
    }
    html.raw("</section>\n");
  }

  private void foot() throws IOException {
    html.raw("<footer>\n<p>Written by Penstock. Times are UTC.");
    if (hasCharts()) {
      html.raw(" Charts are drawn by Apache ECharts.</p>\n");
      html.raw("<details><summary>Licences</summary><pre>").lines(Assets.licences());
      html.raw("</pre></details>\n");
    } else {
      html.raw("</p>\n");
    }
    html.raw("</footer>\n");
  }
}
