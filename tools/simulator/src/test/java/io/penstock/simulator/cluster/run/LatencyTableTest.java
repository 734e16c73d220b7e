/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.s3model.Latency;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatencyTableTest {
  @Test
  void samplesFollowTheLawIntoItsTail() {
    LatencyTable table = new LatencyTable(Latency.ofS3());
    SplittableRandom chance = new SplittableRandom(1);
    double[] seconds = new double[1_000_000];
    Arrays.setAll(seconds, i -> table.sample(chance) / 1e9);
    Arrays.sort(seconds);

    assertThat(seconds[250_000]).isBetween(0.0475, 0.0485);
    assertThat(seconds[500_000]).isBetween(0.0795, 0.0805);
    assertThat(seconds[950_000]).isBetween(0.86, 0.90);
    assertThat(Arrays.stream(seconds).filter(s -> s > 5).count()).isBetween(2_450L, 2_760L);
    assertThat(Arrays.stream(seconds).filter(s -> s > 10).count()).isBetween(1_430L, 1_680L);
  }
}
