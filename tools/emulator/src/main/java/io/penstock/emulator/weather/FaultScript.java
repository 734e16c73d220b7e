/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Error;
import io.penstock.s3model.S3Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Decides which fault strikes a request: the fault of the first rule that matches. */
final class FaultScript {
  private final List<FaultRule> rules;
  private final List<SplittableRandom> chances = new ArrayList<>();
  private final long[] seen;

  /**
   * Starts all counts at zero.
   *
   * @param chance split once per rule, so that an added rule does not change the draws of the rules
   *     before it
   */
  FaultScript(List<FaultRule> rules, SplittableRandom chance) {
    this.rules = List.copyOf(rules);
    this.seen = new long[rules.size()];
    rules.forEach(rule -> chances.add(chance.split()));
  }

  /** Returns the error of one key of a bulk delete, if a rule refuses that key. */
  Optional<S3Error> refusal(String key, boolean isConditional) {
    return rules.stream()
        .filter(
            rule ->
                rule.refusesKeys() && rule.isAbout(S3Operation.DELETE_OBJECTS, key, isConditional))
        .findFirst()
        .flatMap(rule -> rule.fault().error());
  }

  /** Returns true if some keys of a bulk delete may be refused. */
  boolean refusesKeys() {
    return rules.stream().anyMatch(FaultRule::refusesKeys);
  }

  /**
   * Decides about the next request.
   *
   * @param key or the prefix of a listing; empty for a bulk delete, whose keys are refused one by
   *     one
   * @param isConditional whether the request requires something of the object at the key
   */
  synchronized Fault next(S3Operation operation, String key, boolean isConditional) {
    Fault struck = Fault.NONE;
    for (int i = 0; i < seen.length; i++) {
      FaultRule rule = rules.get(i);
      boolean isOfKeys = rule.refusesKeys() && operation == S3Operation.DELETE_OBJECTS;
      if (!isOfKeys && rule.isAbout(operation, key, isConditional)) {
        seen[i]++;
        boolean fires =
            rule.from() > 0
                ? seen[i] >= rule.from() && seen[i] <= rule.to()
                : chances.get(i).nextDouble() < rule.probability();
        if (fires && struck.kind() == Fault.Kind.NONE) {
          Fault fault = rule.fault();
          struck = fault.isDrawn() ? fault.drawn(chances.get(i).nextDouble()) : fault;
        }
      }
    }
    return struck;
  }
}
