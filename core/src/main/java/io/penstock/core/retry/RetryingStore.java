/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.endpoint.Presence;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Part;
import io.penstock.core.store.PartNumbers;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.Upload;
import io.penstock.core.store.WriteIds;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Repeats failed attempts. Every request of the port may be repeated; what differs is how a lost
 * answer shows. A conditional PUT or a Complete that had in fact been done fails when it is
 * repeated, so such a failure is resolved by looking at the object before it is believed.
 */
public final class RetryingStore extends StoreWrapper {
  private final Attempts.Means means;
  private final WriteIds writeIds;
  private final LostAnswers lostAnswers;

  public RetryingStore(ObjectStore inner, RetryConfig config, Time time, SplittableRandom chance) {
    this(inner, config, Pacing.NONE, Presence.alone(), LostCreations.NONE, time, chance);
  }

  /**
   * @param pacing says which requests wait for permits anyway
   * @param presence of the store's endpoint, which its buckets share
   * @param lostCreations told of uploads that may have been created unseen
   * @param chance of this store alone: two stores with the same seed would take each other's
   *     conditional writes for their own
   * @param metrics receive each retry and its wait
   */
  public RetryingStore(
      ObjectStore inner,
      RetryConfig config,
      Pacing pacing,
      Presence presence,
      LostCreations lostCreations,
      Time time,
      SplittableRandom chance,
      StoreMetrics... metrics) {
    super(inner);
    this.writeIds = new WriteIds(chance.split());
    this.lostAnswers = new LostAnswers(this, time);
    this.means =
        new Attempts.Means(
            config,
            new RetryDecider(config),
            pacing,
            presence,
            lostCreations,
            time,
            () -> {
              synchronized (chance) {
                return chance.nextDouble();
              }
            },
            List.of(metrics));
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    return new Attempts(means, operation, key).run(call::run);
  }

  /** An attempt whose answer was lost may have left an upload that nobody knows the id of. */
  @Override
  public Upload createUpload(String key, Optional<String> writeId) throws IOException {
    Attempts attempts = new Attempts(means, Operation.CREATE_UPLOAD, key);
    try {
      return attempts.run(() -> inner.createUpload(key, writeId));
    } finally {
      if (attempts.anAnswerWasLostOnTheWay()) {
        means.lostCreations().note(this, key);
      }
    }
  }

  /** Each attempt takes other numbers than the one before, which may still be under way. */
  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    int[] round = {0};
    return new Attempts(means, Operation.UPLOAD_PART, upload.key())
        .run(() -> inner.uploadPart(upload, numbers.inRound(round[0]++), body));
  }

  /** A conditional write gets a write id, the same for all its attempts, unless it has one. */
  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    if (condition instanceof Condition.None) {
      return super.put(key, body, condition);
    }
    String writeId = condition.writeId().orElseGet(writeIds);
    Condition identified = condition.withWriteId(writeId);
    Attempts attempts = new Attempts(means, Operation.PUT, key);
    try {
      return attempts.run(() -> inner.put(key, body, identified));
    } catch (StoreException e) {
      if (attempts.anAnswerWasLost() && LostAnswers.mayBeOurPut(e)) {
        return lostAnswers.ofPut(e, key, writeId);
      }
      throw e;
    }
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    try {
      return completeOnce(pending, condition);
    } catch (StoreException e) {
      // Whoever gives write ids sends each part's number with one content only.
      if (e.kind() != Kind.INVALID_REQUEST || pending.writeId().isEmpty()) {
        throw e;
      }
      Optional<PendingUpload> asItIsNow = LateParts.of(this, pending, e);
      if (asItIsNow.isEmpty()) {
        throw e;
      }
      return completeOnce(asItIsNow.get(), condition);
    }
  }

  private String completeOnce(PendingUpload pending, Condition condition) throws IOException {
    Attempts attempts = new Attempts(means, Operation.COMPLETE_UPLOAD, pending.key());
    String etag;
    try {
      etag = attempts.run(() -> inner.completeUpload(pending, condition));
    } catch (StoreException e) {
      if (attempts.anAnswerWasLost() && LostAnswers.mayBeOurCompletion(e, condition)) {
        return lostAnswers.ofCompletion(e, pending);
      }
      throw e;
    }
    if (attempts.anAnswerWasLost() && !inner.uploadsSurviveCuts()) {
      lostAnswers.expectCompletion(pending, etag);
    }
    return etag;
  }

  /** Finds it out by writes of its own, which are repeated all together. */
  @Override
  public boolean supportsConditionalWrites() throws IOException {
    return new Attempts(means, Operation.PUT, "").runUnseen(inner::supportsConditionalWrites);
  }

  /** Keys that failed inside a good answer are repeated as requests are, without those done. */
  @Override
  public Map<String, StoreException> deleteAll(List<String> keys) throws IOException {
    Attempts attempts =
        new Attempts(means, Operation.DELETE_ALL, keys.isEmpty() ? "" : keys.get(0));
    Map<String, StoreException> failed = new LinkedHashMap<>();
    List<String> rest = keys;
    do {
      List<String> asked = rest;
      Map<String, StoreException> failures = attempts.run(() -> inner.deleteAll(asked));
      rest = attempts.waitAfter(asked, failures, failed);
    } while (!rest.isEmpty());
    return failed;
  }
}
