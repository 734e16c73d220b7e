/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.metrics.account.RequestSums;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedSumsTest {
  private static RequestSums reads(int count) {
    return new RequestSums(count, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void theLargestAndThoseThatGrewLastKeepTheirNames() {
    BoundedSums<String> sums = new BoundedSums<>(20, "rest");
    sums.add("grows", reads(1));
    sums.add("large", reads(1_000));
    for (int i = 0; i < 10_000; i++) {
      sums.add("some" + i, reads(2));
      if (i % 3 == 0) {
        sums.add("grows", reads(1));
      }
    }

    Map<String, RequestSums> copy = sums.copy();

    assertThat(copy).hasSizeLessThanOrEqualTo(21);
    assertThat(copy.get("large").reads()).isEqualTo(1_000);
    assertThat(copy.get("grows").reads()).isEqualTo(3_335);
    assertThat(copy.get("some9999").reads()).isEqualTo(2);
    assertThat(copy.values().stream().mapToLong(RequestSums::reads).sum())
        .isEqualTo(20_000 + 1_000 + 3_335);
  }
}
