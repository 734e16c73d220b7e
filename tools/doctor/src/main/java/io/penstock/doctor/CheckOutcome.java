/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import java.util.Map;
import java.util.TreeMap;

/**
 * The outcome of a check. A failure or a warning without a fix throws an IllegalArgumentException.
 *
 * @param check the name of the check, one or two words
 * @param said the observation, with its numbers
 * @param fix the change to make; empty when no change is needed
 * @param numbers measured values for scripts, with units in their names
 */
public record CheckOutcome(
    String check, Verdict verdict, String said, String fix, Map<String, Long> numbers) {
  public CheckOutcome {
    boolean needsFix = verdict == Verdict.FAIL || verdict == Verdict.WARN;
    if (needsFix && fix.isBlank()) {
      throw new IllegalArgumentException(check + " says " + verdict.word() + " without a fix");
    }
    numbers = Map.copyOf(numbers);
  }

  public static CheckOutcome pass(String check, String said) {
    return new CheckOutcome(check, Verdict.PASS, said, "", Map.of());
  }

  public static CheckOutcome warn(String check, String said, String fix) {
    return new CheckOutcome(check, Verdict.WARN, said, fix, Map.of());
  }

  public static CheckOutcome fail(String check, String said, String fix) {
    return new CheckOutcome(check, Verdict.FAIL, said, fix, Map.of());
  }

  public static CheckOutcome skipped(String check, String why) {
    return new CheckOutcome(check, Verdict.SKIPPED, why, "", Map.of());
  }

  /** Returns an outcome for a skipped check, with another way to find out. */
  public static CheckOutcome skipped(String check, String why, String instead) {
    return new CheckOutcome(check, Verdict.SKIPPED, why, instead, Map.of());
  }

  public CheckOutcome with(String name, long number) {
    Map<String, Long> more = new TreeMap<>(numbers);
    more.put(name, number);
    return new CheckOutcome(check, verdict, said, fix, more);
  }
}
