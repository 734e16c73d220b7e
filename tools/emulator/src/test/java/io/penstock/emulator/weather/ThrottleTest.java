/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.VirtualTime;
import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.http.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);

  static S3Call call(String method, String target) {
    return S3Call.of(method, target, new Headers(), Addressing.PATH_STYLE);
  }

  private int admitted(Throttle throttle, S3Call call, int requests, Duration apart) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += throttle.admits(call, 1, time.nowNanos()) ? 1 : 0;
      time.advance(apart);
    }
    return admitted;
  }

  @Test
  void aPartitionTakesItsRateAndItsBurst() {
    Throttle throttle =
        new Throttle(new ThrottleRule(0, List.of(), 100, 200, 0.25, 0, ThrottleRule.Growth.NONE));
    // One second at ten times the rate: 100 of the rate and 25 saved up.
    assertThat(admitted(throttle, call("PUT", "/b/k"), 1_000, Duration.ofMillis(1)))
        .isBetween(123, 125);
  }

  @Test
  void belowTheRateNothingIsRejected() {
    Throttle throttle = new Throttle(ThrottleRule.ofS3());
    assertThat(admitted(throttle, call("PUT", "/b/k"), 3_000, Duration.ofNanos(300_000)))
        .isEqualTo(3_000);
  }

  @Test
  void rejectedRequestsCostCapacityToo() {
    Throttle clean =
        new Throttle(new ThrottleRule(0, List.of(), 100, 200, 0.25, 0, ThrottleRule.Growth.NONE));
    Throttle costly =
        new Throttle(new ThrottleRule(0, List.of(), 100, 200, 0.25, 0.5, ThrottleRule.Growth.NONE));
    int withoutCost = admitted(clean, call("PUT", "/b/k"), 2_000, Duration.ofMillis(5));
    int withCost = admitted(costly, call("PUT", "/b/k"), 2_000, Duration.ofMillis(5));
    assertThat(withoutCost).isBetween(1_015, 1_030);
    assertThat(withCost).isLessThan(400);
  }

  @Test
  void aBulkDeleteCountsItsKeysAndOwesWhatIsMissing() {
    Throttle throttle =
        new Throttle(new ThrottleRule(0, List.of(), 100, 200, 1, 0, ThrottleRule.Growth.NONE));
    S3Call delete = call("POST", "/b?delete");
    assertThat(throttle.admits(delete, 300, time.nowNanos())).isTrue();
    time.advance(Duration.ofSeconds(2));
    assertThat(throttle.admits(delete, 1, time.nowNanos())).as("200 were owed").isFalse();
    time.advance(Duration.ofMillis(20));
    assertThat(throttle.admits(delete, 1, time.nowNanos())).isTrue();
  }

  @Test
  void aPartitionUnderLoadIsSplitAgainAndAgainUpToItsLimit() {
    ThrottleRule.Growth growth = new ThrottleRule.Growth(0.5, Duration.ofSeconds(10), 2);
    Throttle throttle = new Throttle(new ThrottleRule(0, List.of(), 100, 200, 0.25, 0, growth));
    S3Call put = call("PUT", "/b/k");
    // Rates of 50, 100, 200 and no more; the first rejection comes when the burst is spent.
    assertThat(admitted(throttle, put, 10_000, Duration.ofMillis(1))).isBetween(500, 530);
    assertThat(admitted(throttle, put, 10_000, Duration.ofMillis(1))).isBetween(990, 1_040);
    assertThat(admitted(throttle, put, 10_000, Duration.ofMillis(1))).isBetween(1_980, 2_060);
    assertThat(admitted(throttle, put, 10_000, Duration.ofMillis(1))).isBetween(1_980, 2_060);
    assertThat(admitted(throttle, call("GET", "/b/k"), 1_000, Duration.ofMillis(1)))
        .as("reads are of the same partition")
        .isBetween(480, 520);
  }

  @Test
  void aPartitionThatRestsStartsItsTimeAnew() {
    ThrottleRule.Growth growth = new ThrottleRule.Growth(1, Duration.ofSeconds(10), 1);
    Throttle throttle = new Throttle(new ThrottleRule(0, List.of(), 100, 200, 0.25, 0, growth));
    S3Call put = call("PUT", "/b/k");
    for (int i = 0; i < 3; i++) {
      admitted(throttle, put, 6_000, Duration.ofMillis(1));
      time.advance(Duration.ofSeconds(5));
    }
    assertThat(admitted(throttle, put, 1_000, Duration.ofMillis(1))).isBetween(100, 130);
  }

  @Test
  void readsAndWritesHaveBucketsOfTheirOwn() {
    Throttle throttle =
        new Throttle(new ThrottleRule(0, List.of(), 4, 8, 1, 0, ThrottleRule.Growth.NONE));
    assertThat(admitted(throttle, call("PUT", "/b/k"), 100, Duration.ZERO)).isEqualTo(4);
    assertThat(admitted(throttle, call("GET", "/b/k"), 100, Duration.ZERO)).isEqualTo(8);
    assertThat(admitted(throttle, call("HEAD", "/b/k"), 100, Duration.ZERO)).isZero();
  }

  @Test
  void partitionsFollowDepthAndListedPrefixes() {
    ThrottleRule rule = ThrottleRule.ofS3().byDepth(1).byPrefixes(List.of("hot/", "hot/er/"));
    assertThat(rule.partition(call("GET", "/b/a/x/y"))).isEqualTo("b/a/");
    assertThat(rule.partition(call("GET", "/b/a"))).isEqualTo("b/");
    assertThat(rule.partition(call("GET", "/b/hot/er/x"))).isEqualTo("b/hot/er/");
    assertThat(rule.partition(call("GET", "/b/hot/x"))).isEqualTo("b/hot/");
    assertThat(rule.partition(call("GET", "/b?list-type=2&prefix=a/x"))).isEqualTo("b/a/");
    assertThat(ThrottleRule.ofS3().partition(call("GET", "/b/a/x"))).isEqualTo("b/");
  }
}
