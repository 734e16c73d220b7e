/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.simulator.cluster.scenario.ScenarioText;
import io.penstock.simulator.cluster.scenario.StoreSpec;
import io.penstock.simulator.cluster.scenario.TenantSpec;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrontEndBucketTest {
  private static final long SECOND = 1_000_000_000;

  private static FrontEndBucket bucket(
      String text, double limit, TenantSpec tenant, boolean ideal) {
    StoreSpec spec = ScenarioText.parse("test", "job.files: 1\n" + text).scenario().store();
    return new FrontEndBucket(limit, spec, tenant, new SplittableRandom(1), ideal, 0);
  }

  private static int admitted(FrontEndBucket bucket, int requests, long now) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += bucket.admits(now, 1) ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aBurstOfAQuarterSecondIsAdmittedAndNoMore() {
    FrontEndBucket bucket = bucket("s3.rejected.cost: 0", 3500, TenantSpec.NONE, false);

    assertThat(admitted(bucket, 2_000, 0)).isEqualTo(875);
    assertThat(admitted(bucket, 2_000, SECOND / 10)).isEqualTo(350);
    assertThat(admitted(bucket, 2_000, 2 * SECOND)).isEqualTo(875);
  }

  @Test
  void rejectionsCostHalfARequestEachUpToTheBurst() {
    FrontEndBucket bucket = bucket("", 3500, TenantSpec.NONE, false);
    admitted(bucket, 875 + 100, 0);

    // 100 rejections owe 50 requests, which 350 new ones must pay first.
    assertThat(admitted(bucket, 300, SECOND / 10)).isEqualTo(300);
    admitted(bucket, 100_000, SECOND / 10);
    assertThat(bucket.admits(SECOND / 10 + SECOND / 4, 1)).isFalse();
  }

  @Test
  void aRequestThatCostsMoreTakesMore() {
    FrontEndBucket bucket = bucket("s3.rejected.cost: 0", 1000, TenantSpec.NONE, false);
    int admitted = 0;
    for (int i = 0; i < 1_000; i++) {
      admitted += bucket.admits(0, 4) ? 1 : 0;
    }

    assertThat(admitted).isEqualTo(250 / 4);
    assertThat(bucket.nanosUntilFree(0, 4)).isEqualTo(2 * SECOND / 1000);
  }

  @Test
  void aLongBurstDoesNotMakeALongDebt() {
    FrontEndBucket bucket = bucket("s3.burst: 20s", 1000, TenantSpec.NONE, false);
    assertThat(admitted(bucket, 100_000, 0)).isEqualTo(20_000);

    assertThat(bucket.admits(SECOND / 4 + 1_000_000, 1)).isTrue();
  }

  @Test
  void tenantsTakeTheirShare() {
    TenantSpec tenant = new TenantSpec(0.5, Duration.ZERO, Duration.ZERO);
    FrontEndBucket bucket = bucket("", 1000, tenant, true);
    int admitted = 0;
    for (int milli = 0; milli < 20_000; milli++) {
      admitted += bucket.admits(milli * SECOND / 1000, 1) ? 1 : 0;
    }

    assertThat(admitted).isBetween(9_800, 10_600);
  }

  @Test
  void tenantsThatPauseLeaveTheRestAlone() {
    TenantSpec tenant = new TenantSpec(2, Duration.ofSeconds(5), Duration.ofSeconds(5));
    FrontEndBucket bucket = bucket("s3.rejected.cost: 0", 1000, tenant, true);
    bucket.admits(10 * SECOND - 1, 1);

    assertThat(bucket("", 1000, TenantSpec.NONE, true).admits(0, 1)).isTrue();
    // What the tenants asked for in their 5 s was twice what there was, and is paid by the pause.
    assertThat(admitted(bucket, 1_000, 10 * SECOND - 1)).isBetween(1, 250);
  }

  @Test
  void aColdPartitionWarmsUp() {
    FrontEndBucket bucket =
        bucket("s3.cold.share: 0.5\ns3.warm.after: 100s\n", 1000, TenantSpec.NONE, false);
    admitted(bucket, 1_000, 0);
    long half = SECOND / 10;

    assertThat(admitted(bucket, 30, 10 * half)).isEqualTo(30);
    admitted(bucket, 10_000, 200 * SECOND);
    assertThat(admitted(bucket, 1_000, 201 * SECOND)).isEqualTo(250);
  }
}
