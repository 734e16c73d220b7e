/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.caller.Caller;
import io.penstock.core.store.Body;
import java.util.Optional;

/**
 * Holds what belongs to one attempt of a request. A layer that makes another one passes on another
 * context. Only a look that a {@link Resolution} takes in place of an attempt has the same.
 *
 * @param caller on whose behalf the request is made; only the origin for an attempt beside another
 *     one, which only its race ends
 * @param attempt this attempt
 * @param round 0 for the request, 1 for its first repeat, and so on
 * @param number 0 for the first attempt of the round, 1 for the first one beside it
 * @param gate stands between this attempt and what it sends, if the attempt may outlive the call
 */
public record Context(
    Caller caller, Attempt attempt, int round, int number, Optional<BodyGate> gate) {
  /** Returns the context of the first attempt of a request. */
  public static Context of(Caller caller) {
    return new Context(caller, new Attempt(), 0, 0, Optional.empty());
  }

  /** Returns the context of the first attempt of a round. */
  public Context inRound(int other) {
    return new Context(caller, new Attempt(), other, 0, Optional.empty());
  }

  /** Returns the context of an attempt beside this one. */
  public Context beside(Attempt second, int number, BodyGate gate) {
    return new Context(caller.onlyOrigin(), second, round, number, Optional.of(gate));
  }

  /** Returns the body as this attempt must read it. */
  public Body body(Body body) {
    return gate.isPresent() ? gate.get().behind(body) : body;
  }
}
