/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private final EventQueue queue = new EventQueue();

  @Test
  void eventsHappenInTheOrderOfTheirTimes() {
    SplittableRandom chance = new SplittableRandom(1);
    List<Long> happened = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      queue.add(chance.nextInt(1_000), happened::add);
    }

    while (!queue.isEmpty()) {
      queue.next();
    }

    assertThat(happened).hasSize(10_000).isSorted();
  }

  @Test
  void eventsOfOneTimeHappenInTheOrderInWhichTheyWereAdded() {
    List<Integer> happened = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      queue.add(number % 2, now -> happened.add(number));
    }

    while (!queue.isEmpty()) {
      queue.next();
    }

    assertThat(happened.subList(0, 50)).isSorted().allMatch(number -> number % 2 == 0);
    assertThat(happened.subList(50, 100)).isSorted().allMatch(number -> number % 2 == 1);
  }

  @Test
  void thePastIsOver() {
    queue.add(5, now -> {});
    queue.next();

    assertThatThrownBy(() -> queue.add(4, now -> {})).hasMessage("it is 5 ns, too late for 4");
  }
}
