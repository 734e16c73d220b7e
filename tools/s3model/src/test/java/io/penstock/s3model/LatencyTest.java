/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyTest {
  private static final Percentage ONE_PERCENT = Percentage.withPercentage(1);

  private static double seconds(Latency latency, double survival) {
    return latency.exceededBy(survival).toNanos() / 1e9;
  }

  @Test
  void s3TakesWhatWasMeasured() {
    Latency s3 = Latency.ofS3();
    assertThat(seconds(s3, 0.5)).isCloseTo(0.080, ONE_PERCENT);
    assertThat(seconds(s3, 0.75)).isCloseTo(0.048, ONE_PERCENT);
    assertThat(seconds(s3, 0.05)).isCloseTo(0.880, ONE_PERCENT);
    assertThat(seconds(s3, 26_602 / 10_208_803d)).isCloseTo(5, ONE_PERCENT);
    assertThat(seconds(s3, 14 / 10_208_803d)).isCloseTo(30, ONE_PERCENT);
    assertThat(seconds(s3, 1)).isCloseTo(0.008, ONE_PERCENT);
    assertThat(seconds(s3, 1e-300)).isCloseTo(120, ONE_PERCENT);
  }

  @Test
  void aLogNormalLawGoesThroughItsTwoPoints() {
    Latency law = Latency.parse("lognormal:80ms,900ms");
    assertThat(seconds(law, 0.5)).isCloseTo(0.080, ONE_PERCENT);
    assertThat(seconds(law, 0.01)).isCloseTo(0.900, ONE_PERCENT);
    assertThat(seconds(law, 0.99)).isCloseTo(0.080 * 0.080 / 0.900, ONE_PERCENT);
  }

  @Test
  void aConstantIsConstant() {
    assertThat(Latency.parse("50ms").exceededBy(0.1)).isEqualTo(Duration.ofMillis(50));
    assertThat(Latency.parse("none").exceededBy(0.1)).isZero();
  }

  @Test
  void aMistakeIsNamed() {
    assertThatThrownBy(() -> Latency.parse("fast"))
        .hasMessageContaining("'fast'")
        .hasMessageContaining("lognormal:80ms,900ms");
    assertThatThrownBy(() -> Latency.parse("lognormal:90ms,80ms"))
        .hasMessageContaining("p50 <= p99");
  }
}
