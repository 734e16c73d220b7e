/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateNewsTest {
  private static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);
  private static final double OPEN = Double.POSITIVE_INFINITY;

  private final RateNews news = new RateNews();

  @Test
  void nothingIsSaidWhileNothingIsPaced() {
    assertThat(news.of(Map.of())).isEmpty();
    assertThat(news.of(Map.of(WRITES, Map.of("", OPEN)))).isEmpty();
  }

  @Test
  void theBeginningAndTheEndAreSaidOnce() {
    assertThat(news.of(Map.of(WRITES, Map.of("", OPEN, "hot/", 61.04))))
        .containsExactly(
            "S3 throttles: writes of s3://lake/hot/ are paced from now on, at first to 61.0 a"
                + " second for the whole application. See docs/rate-control.md");
    assertThat(news.of(Map.of(WRITES, Map.of("", OPEN, "hot/", 70.0)))).isEmpty();
    assertThat(news.of(Map.of(WRITES, Map.of("", OPEN, "hot/", OPEN))))
        .containsExactly("writes of s3://lake/hot/ are no longer paced");
    assertThat(news.of(Map.of(WRITES, Map.of("", OPEN)))).isEmpty();
  }

  @Test
  void aPartitionThatIsJoinedToAnotherHasNoEnd() {
    news.of(Map.of(WRITES, Map.of("", 80.0, "hot/", 61.0)));

    assertThat(news.of(Map.of(WRITES, Map.of("", 80.0)))).isEmpty();
  }
}
