/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.tables.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatePlotsTest {
  private static final Table NO_STAGES = new Table("P10", "", List.of(), List.of());

  private static Table seconds(long spanSeconds, long... secondsAndRequests) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < secondsAndRequests.length; i += 2) {
      Instant at = Instant.EPOCH.plusSeconds(secondsAndRequests[i]);
      long n = secondsAndRequests[i + 1];
      rows.add(List.of(at, spanSeconds, n, n / 2, n, n / 2));
    }
    return Samples.table(
        "P1",
        "",
        "started time, span_s count, requests count, throttled count, peak count, peak_throttled"
            + " count",
        rows);
  }

  private static TimeChart chart(Plot plot) {
    return (TimeChart) plot.chart().orElseThrow();
  }

  private static List<Double> values(Plot plot, int series) {
    return chart(plot).panels().get(0).series().get(series).values();
  }

  @Test
  void secondsWithoutRequestsAreZero() {
    Plot plot = RatePlots.requests(seconds(1, 10, 4, 11, 6, 14, 2), NO_STAGES);
    assertThat(chart(plot).startMillis()).isEqualTo(10_000);
    assertThat(chart(plot).stepMillis()).isEqualTo(1_000);
    assertThat(values(plot, 0)).containsExactly(4.0, 6.0, 0.0, 0.0, 2.0);
    assertThat(values(plot, 1)).containsExactly(2.0, 3.0, 0.0, 0.0, 1.0);
  }

  @Test
  void longerSpansAreMeansBesideTheirBusiestSecond() {
    Plot plot = RatePlots.requests(seconds(60, 0, 120, 60, 6), NO_STAGES);
    assertThat(values(plot, 0)).containsExactly(2.0, 0.1);
    assertThat(values(plot, 2)).containsExactly(120.0, 6.0);
  }

  /** One request hours before a job would leave its plot a line at the edge. */
  @Test
  void thePlotOpensWhereTheRequestsAre() {
    List<List<Object>> rows = new ArrayList<>();
    rows.add(List.of(Instant.EPOCH, 1L, 1L, 0L, 1L, 0L));
    for (int i = 1_000; i < 1_100; i++) {
      rows.add(List.of(Instant.EPOCH.plusSeconds(i), 1L, 10L, 0L, 10L, 0L));
    }
    Table table = new Table("P1", "", seconds(1, 0, 1).columns(), rows);
    Plot plot = RatePlots.requests(table, NO_STAGES);
    TimeChart.View view = chart(plot).view().orElseThrow();
    assertThat(view.fromMillis()).isBetween(980_000L, 1_000_000L);
    assertThat(view.toMillis()).isEqualTo(1_100_000L);
    assertThat(plot.note()).contains("the slider below it shows the rest");
    Plot few = RatePlots.requests(seconds(1, 0, 1, 40, 900), NO_STAGES);
    assertThat(chart(few).view()).as("there is no slider").isEmpty();
    assertThat(few.note()).doesNotContain("slider");
  }

  @Test
  void limitsAreDrawnWhereTheyAreNear() {
    assertThat(chart(RatePlots.requests(seconds(1, 0, 900), NO_STAGES)).limits()).isEmpty();
    assertThat(chart(RatePlots.requests(seconds(1, 0, 1_000), NO_STAGES)).limits()).hasSize(2);
  }

  @Test
  void aSeriesHasFourThousandPointsAtMostAndKeepsItsPeaks() {
    long[] all = new long[40_000];
    for (int i = 0; i < all.length; i += 2) {
      all[i] = i / 2;
      all[i + 1] = i == 12_344 ? 9_999 : 7;
    }
    Plot plot = RatePlots.requests(seconds(1, all), NO_STAGES);
    assertThat(values(plot, 0)).hasSizeLessThanOrEqualTo(4_000).contains(9_999.0, 7.0);
    assertThat(chart(plot).stepMillis() * values(plot, 0).size()).isEqualTo(20_000_000);
  }

  @Test
  void aWrongClockDoesNotFillTheMemory() {
    Plot plot = RatePlots.requests(seconds(1, 0, 4, 253_402_300_000L, 6), NO_STAGES);
    assertThat(values(plot, 0)).hasSizeLessThanOrEqualTo(4_000);
  }

  @Test
  void stagesAreBandsInTheOrderOfTheirStart() {
    Plot plot = RatePlots.requests(new Samples().backoff(), Samples.stages());
    assertThat(chart(plot).bands())
        .extracting(TimeChart.Band::name)
        .containsExactly("stage 0", "stage 1", "stage 2");
  }

  @Test
  void twoRunsBeginAtTheSameMoment() {
    Plot plot = RatePlots.compare("a", seconds(1, 5, 1, 6, 2), "b", seconds(1, 90, 8, 93, 9));
    TimeChart chart = chart(plot);
    assertThat(chart.startMillis()).isZero();
    assertThat(chart.panels().get(0).series().get(0).values()).containsExactly(1.0, 2.0, 0.0, 0.0);
    assertThat(chart.panels().get(1).series().get(0).values()).containsExactly(8.0, 0.0, 0.0, 9.0);
  }

  @Test
  void rareApisAreTakenTogether() {
    Plot plot = RatePlots.byApi(new Samples().byApi());
    assertThat(chart(plot).panels().get(0).series())
        .extracting(ChartSeries::name)
        .hasSize(8)
        .startsWith("CompleteMultipartUpload", "UploadPart", "CreateMultipartUpload", "GetObject")
        .endsWith("others");
  }
}
