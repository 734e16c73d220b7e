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
 * A conditional PUT whose object is recognized by its write id, so that it may be made twice at the
 * same time. If one of two attempts is refused because the other one has made the object, the PUT
 * has succeeded.
 */
final class IdentifiedPut implements Race.Request<String> {
  private final String key;
  private final Body body;
  private final Condition condition;
  private Race<String> race;

  /**
   * @param condition a condition with a write id that no other write has
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

  /**
   * Returns the failure to throw if it could not be checked whose object exists. The refusal may be
   * caused by our own object. If the check may be retried, the failure makes the caller repeat the
   * request; otherwise the refusal is returned.
   */
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

  /** Returns the ETag if the existing object was made by the other attempt. */
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
