/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * A conditional PUT whose object can be known by its write id, and which may so be made twice at
 * once: of two attempts one is refused because of the other. That is no failure.
 */
final class IdentifiedPut implements Race.Request<String> {
  private final String key;
  private final Body body;
  private final Condition condition;
  private Race<String> race;

  /**
   * @param condition with a write id that no other write has
   */
  IdentifiedPut(String key, Body body, Condition condition) {
    this.key = key;
    this.body = body;
    this.condition = condition;
  }

  String in(Race.Track track, HedgeDecider decider) throws IOException {
    race = new Race<>(track, decider.begin(Operation.PUT, body.sizeBytes()), this);
    return race.run();
  }

  @Override
  public String to(ObjectStore store, UnaryOperator<Body> gate, int attempt) throws IOException {
    try {
      return store.put(key, gate.apply(body), condition);
    } catch (StoreException e) {
      if (e.kind() != Kind.PRECONDITION_FAILED || race.isOfOne()) {
        throw e;
      }
      return ofOther(store, e);
    }
  }

  /** The refusal may be our own object's; a repetition finds out, and its look is retried. */
  private IOException undecided(ObjectStore store, StoreException refusal, IOException failure) {
    if (!(failure instanceof StoreException known) || known.kind().retry() == Retry.NEVER) {
      refusal.addSuppressed(failure);
      return refusal;
    }
    StoreException undecided =
        new StoreException(
            Kind.CONNECTION_LOST,
            Operation.PUT,
            "s3://" + store.bucket() + "/" + key,
            "refused, maybe because of another attempt of its own, and a look at it failed.",
            null,
            failure);
    undecided.addSuppressed(refusal);
    return undecided;
  }

  /** The ETag, when what is in the way is the other attempt's object. */
  private String ofOther(ObjectStore store, StoreException refusal) throws IOException {
    ObjectMeta there;
    try {
      there = store.head(key);
    } catch (IOException e) {
      throw undecided(store, refusal, e);
    }
    if (there.writeId().equals(condition.writeId())) {
      return there.etag();
    }
    throw refusal;
  }
}
