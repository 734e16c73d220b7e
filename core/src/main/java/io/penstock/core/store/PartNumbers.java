/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/**
 * The numbers under which one part of an upload may be stored. Attempts that may be under way at
 * the same time take different ones. So an attempt that was cut short, and that the store cleans up
 * late, cannot remove what another attempt has stored: MinIO does that to a part of the same
 * number. Completion names the number that was answered for; the store drops the others.
 *
 * @param first of the numbers, 1 or more
 * @param count of the numbers that are the part's own, 1 or more
 */
public record PartNumbers(int first, int count) {
  /** Attempts of one request at the same time: the first one, and its hedges. */
  private static final int AT_ONCE = 4;

  /**
   * A request that failed is repeated under other numbers than the time before. The third round
   * takes those of the first again: by then the store has had two rounds to clean up.
   */
  private static final int ROUNDS = 2;

  /** The numbers that each part gets where they are spared. */
  static final int SPARED = AT_ONCE * ROUNDS;

  public PartNumbers {
    if (first < 1 || count < 1 || first + count - 1 > Part.MAX_NUMBER) {
      throw new IllegalArgumentException(
          "part numbers are 1 to %d, got %d from %d on".formatted(Part.MAX_NUMBER, count, first));
    }
  }

  /** Returns the one number of a part that has no spare ones. */
  public static PartNumbers only(int number) {
    return new PartNumbers(number, 1);
  }

  /** Returns the numbers for one round of attempts: 0 for the request, 1 for its repetition. */
  public PartNumbers inRound(int round) {
    return count == SPARED ? new PartNumbers(first + round % ROUNDS * AT_ONCE, AT_ONCE) : this;
  }

  /** Returns the number for an attempt of a round: 0 for the first, 1 for its first hedge. */
  public int ofAttempt(int attempt) {
    return first + attempt % count;
  }

  /** Returns true if attempts under way at the same time have different numbers. */
  public boolean areSpared() {
    return count > 1;
  }
}
