/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.aimd;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RatePolicy;
import io.penstock.core.rate.report.Traffic;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AimdPacerTest {
  private static AimdPacer with(Map<String, String> settings, Traffic traffic) {
    return new AimdPacer(AimdConfig.from(Settings.of(settings)), traffic);
  }

  private static void answer(AimdPacer pacer, int times, boolean throttled) {
    for (int i = 0; i < times; i++) {
      pacer.answered(0, 0, 1, throttled);
    }
  }

  @Test
  void itStartsAsEmrfsDocuments() {
    assertThat(with(Map.of(), Traffic.READ).rate()).isEqualTo(5_500);
    assertThat(with(Map.of(), Traffic.WRITE).rate()).isEqualTo(3_500);
    assertThat(with(Map.of("fs.s3.aimd.initialRate", "110"), Traffic.WRITE).rate()).isEqualTo(70);
  }

  @Test
  void twoGoodAnswersAddATenthAndOneThrottledOfTwoHalves() {
    AimdPacer pacer = with(Map.of(), Traffic.WRITE);
    answer(pacer, 2, false);
    assertThat(pacer.rate()).isEqualTo(3_500.1);
    answer(pacer, 1, false);
    answer(pacer, 1, true);
    assertThat(pacer.rate()).isEqualTo(1_750.05);
  }

  @Test
  void itsSettingsAreReadByBothOfTheirNames() {
    Map<String, String> settings =
        Map.of(
            "fs.s3.aimd.initialRate", "55",
            "fs.s3a.aimd.minRate", "10",
            "fs.s3.aimd.reductionFactor", "4",
            "fs.s3a.aimd.increaseIncrement", "5",
            "fs.s3.aimd.adjustWindow", "1");
    AimdPacer pacer = with(settings, Traffic.WRITE);
    answer(pacer, 1, false);
    assertThat(pacer.rate()).isEqualTo(40);
    answer(pacer, 1, true);
    assertThat(pacer.rate()).isEqualTo(10);
    answer(pacer, 1, true);
    assertThat(pacer.rate()).isEqualTo(10);
  }

  @Test
  void emrfsSwitchDoesNotChooseThePolicy() {
    Settings switched = Settings.of(Map.of("fs.s3.aimd.enabled", "true"));
    assertThat(RateConfig.from(switched).policy()).isEqualTo(RatePolicy.ADAPTIVE);
    assertThat(RateConfig.switchesOfEmrfs(switched)).containsExactly("fs.s3.aimd.enabled");
    Settings off = Settings.of(Map.of("fs.s3a.aimd.enabled", "false"));
    assertThat(RateConfig.switchesOfEmrfs(off)).isEmpty();
    Settings both =
        Settings.of(Map.of("fs.s3.aimd.enabled", "true", "penstock.rate.policy", "aimd"));
    assertThat(RateConfig.from(both).policy()).isEqualTo(RatePolicy.AIMD);
    assertThat(RateConfig.switchesOfEmrfs(both)).isEmpty();
  }
}
