/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.outcome.ScenarioSummary;
import io.penstock.simulator.cluster.run.Simulation;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.ScenarioText;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class RunFigureTest {
  private static final Scenario SCENARIO =
      ScenarioText.parse(
              "small",
              """
              title: <b>small</b> & "quoted"
              job.executors: 10
              job.tasks: 100
              job.files: 1000
              s3.writes: 100
              """)
          .scenario();

  private static final List<ClusterOutcome> RUNS =
      List.of(run(SendPolicy.BACKOFF), run(SendPolicy.PENSTOCK_ALONE));

  private static ClusterOutcome run(SendPolicy policy) {
    return new Simulation(SCENARIO, policy, 3).run();
  }

  private static List<String> texts(RunFigure figure) {
    return figure.marks().stream()
        .filter(mark -> mark instanceof FigureMark.Text)
        .map(mark -> ((FigureMark.Text) mark).text())
        .toList();
  }

  @Test
  void theTitleSaysScenarioPolicyAndSeedAndTheAxesTheirUnits() {
    RunFigure figure = RunFigure.of(SCENARIO, RUNS).get(0);

    assertThat(figure.title()).isEqualTo("<b>small</b> & \"quoted\", policy backoff, seed 3");
    assertThat(texts(figure))
        .contains("time (s)", "requests a second", "requests sent", "throttled", figure.title());
  }

  @Test
  void figuresOfOneScenarioHaveTheSameAxes() {
    List<RunFigure> figures = RunFigure.of(SCENARIO, RUNS);

    assertThat(ticks(figures.get(0))).isEqualTo(ticks(figures.get(1))).hasSizeGreaterThan(8);
  }

  private static List<String> ticks(RunFigure figure) {
    return texts(figure).stream().filter(text -> text.matches("[0-9.,]+")).toList();
  }

  @Test
  void anSvgIsXmlWhateverTheTitleSays() throws Exception {
    for (RunFigure figure : RunFigure.of(SCENARIO, RUNS)) {
      String svg = Svg.file(figure);

      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
      assertThat(svg).contains("&lt;b&gt;small&lt;/b&gt; &amp;").doesNotContain("<b>");
      assertThat(svg).contains("prefers-color-scheme:dark");
    }
  }

  @Test
  void aPngIsAnImageOfTwiceTheSize() throws Exception {
    byte[] bytes = Png.file(RunFigure.of(SCENARIO, RUNS).get(0));

    var image = ImageIO.read(new ByteArrayInputStream(bytes));
    assertThat(image.getWidth()).isEqualTo(1_920);
    assertThat(image.getHeight()).isEqualTo(800);
  }

  @Test
  void aPageNeedsNothingFromElsewhereAndNoScript() {
    ScenarioSummary row = ScenarioSummary.of(SCENARIO, RUNS.subList(0, 1), RUNS.subList(1, 2));
    String page = FigurePage.of("a <title>", RunFigure.of(SCENARIO, RUNS), List.of(row), 1);

    assertThat(page)
        .contains("default-src 'none'; style-src 'sha256-", "<h1>a &lt;title&gt;</h1>", "<table>")
        .doesNotContain("<script", "style=", "href=", "src=", "url(");
    assertThat(page.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:");
  }

  @Test
  void anAxisEndsAtTheNextStep() {
    assertThat(FigureAxis.upTo(4_321)).isEqualTo(new FigureAxis(4_500, 500));
    assertThat(FigureAxis.upTo(10)).isEqualTo(new FigureAxis(10, 1));
    assertThat(FigureAxis.upTo(1).ticks()).hasSize(11);
  }
}
