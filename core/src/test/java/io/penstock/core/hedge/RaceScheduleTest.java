/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.interleaving.Choices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Plays races of a request's attempts in every order: who begins, waits, is answered or fails
 * first, and when the watchdog looks. With one and two attempts beside the first all orders are
 * played; with three, those of many seeds.
 *
 * <p>{@code -Dpenstock.race.seed} replays one seed, {@code -Dpenstock.race.count} plays so many.
 */
@Execution(ExecutionMode.CONCURRENT)
class RaceScheduleTest {
  private static void play(Choices choices, int hedgesMax, String how) {
    RaceSchedule schedule = new RaceSchedule(choices, hedgesMax);
    try {
      schedule.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "%s%n%s%n%s".formatted(e.getMessage(), how, String.join("\n", schedule.log())), e);
    }
  }

  private static void playAll(int hedgesMax) {
    Choices.Exhaustive choices = new Choices.Exhaustive(0);
    long ways = 0;
    do {
      play(choices, hedgesMax, "way %d with %d hedges".formatted(++ways, hedgesMax));
    } while (choices.next());
    System.out.printf("%d orders of a race with %d hedges%n", ways, hedgesMax);
  }

  @Test
  void everyOrderOfTwoAttemptsKeepsTheRules() {
    playAll(1);
  }

  @Test
  void everySeedKeepsTheRules() {
    Long one = Long.getLong("penstock.race.seed");
    if (one != null) {
      play(Choices.ofSeed(one, 1), 3, "seed " + one);
      return;
    }
    long count = Long.getLong("penstock.race.count", 3_000);
    for (long seed = 0; seed < count; seed++) {
      play(
          Choices.ofSeed(seed, 1),
          3,
          "seed %d, replay: ./mvnw test -pl core -Dtest=RaceScheduleTest -Dpenstock.race.seed=%d"
              .formatted(seed, seed));
    }
  }

  @Test
  void everyOrderOfThreeAttemptsKeepsTheRules() {
    playAll(2);
  }
}
