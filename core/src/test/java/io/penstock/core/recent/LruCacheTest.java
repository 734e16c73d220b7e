/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.recent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LruCacheTest {
  private final LruCache<String, Integer> recent = new LruCache<>(3);

  @Test
  void theEntriesUsedLastStay() {
    recent.put("a", 1);
    recent.put("b", 2);
    recent.computeIfAbsent("c", key -> 3);
    assertThat(recent.get("a")).contains(1);
    recent.put("d", 4);
    assertThat(recent.get("b")).isEmpty();
    assertThat(recent.get("a")).contains(1);
    assertThat(recent.size()).isEqualTo(3);
  }

  @Test
  void aValueIsMadeOnce() {
    assertThat(recent.computeIfAbsent("a", key -> 1)).isEqualTo(1);
    assertThat(recent.computeIfAbsent("a", key -> 2)).isEqualTo(1);
    assertThat(recent.put("a", 3)).contains(1);
    recent.remove("a");
    assertThat(recent.computeIfAbsent("a", key -> 4)).isEqualTo(4);
  }

  @Test
  void tenThousandNamesLeaveThree() {
    for (int i = 0; i < 10_000; i++) {
      recent.put("name-" + i, i);
    }
    assertThat(recent.size()).isEqualTo(3);
  }
}
