/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

/**
 * The numbers under which one part of an upload may be stored. Attempts that may be under way at
 * the same time use different numbers. MinIO may clean up late after an attempt that was cut off,
 * and then also removes a part that another attempt has stored under the same number. With
 * different numbers this cannot happen. The completion names the number of the attempt that got an
 * answer; the store drops the parts under the other numbers. A number outside 1 to 10,000 throws an
 * IllegalArgumentException.
 *
 * @param first the first of the numbers, 1 or more
 * @param count the number of consecutive numbers that belong to the part, 1 or more
 */
public record PartNumbers(int first, int count) {
  /** The most attempts of one request at the same time: the first attempt and its hedges. */
  private static final int AT_ONCE = 4;

  /**
   * The number of rounds before part numbers are used again. A failed request is repeated with
   * other numbers than in the previous round. The third round uses the numbers of the first round
   * again, because by then the store has had time to clean up after the first round.
   */
  private static final int ROUNDS = 2;

  /** The count of numbers for each part when parts have spare numbers. */
  static final int SPARED = AT_ONCE * ROUNDS;

  public PartNumbers {
    if (first < 1 || count < 1 || first + count - 1 > Part.MAX_NUMBER) {
      throw new IllegalArgumentException(
          "part numbers are 1 to %d, got %d from %d on".formatted(Part.MAX_NUMBER, count, first));
    }
  }

  /** Returns the numbers of a part that has only this number and no spare ones. */
  public static PartNumbers only(int number) {
    return new PartNumbers(number, 1);
  }

  /**
   * Returns the numbers for one round of attempts: round 0 is the request, round 1 its first retry.
   */
  public PartNumbers inRound(int round) {
    return count == SPARED ? new PartNumbers(first + round % ROUNDS * AT_ONCE, AT_ONCE) : this;
  }

  /** Returns the number for one attempt of a round: 0 is the first attempt, 1 its first hedge. */
  public int ofAttempt(int attempt) {
    return first + attempt % count;
  }

  /** Returns true if attempts under way at the same time have different numbers. */
  public boolean areSpared() {
    return count > 1;
  }
}
