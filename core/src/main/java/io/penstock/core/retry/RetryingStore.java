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
 * Repeats failed attempts. Every request of the store may be repeated. The requests differ in the
 * effect of a lost answer: if a conditional PUT or a Complete has succeeded and its answer is lost,
 * the repeated request fails. For such a failure this class checks the object before it reports the
 * failure.
 *
 * <p>Only a {@link StoreException} is repeated; every other exception is thrown at once. The
 * failure of the last attempt is thrown with a sentence that names the limit. An interrupt or a
 * cancellation during a wait throws an {@link java.io.InterruptedIOException} with that failure as
 * its cause, or without it if the work was cancelled. Limits are those of {@link RetryConfig} and
 * of the task's {@link RetryBudget}.
 */
public final class RetryingStore extends StoreWrapper {
  private final Attempts.Means means;
  private final WriteIds writeIds;
  private final LostAnswers lostAnswers;

  public RetryingStore(ObjectStore inner, RetryConfig config, Time time, SplittableRandom chance) {
    this(inner, config, Pacing.NONE, Presence.alone(), LostCreations.NONE, time, chance);
  }

  /**
   * @param pacing says which requests wait for permits
   * @param presence the state of the store's endpoint, which all buckets of the endpoint share
   * @param lostCreations records keys for which an upload with an unknown id may exist
   * @param chance a source of randomness for this store alone: two stores with the same seed would
   *     mistake each other's conditional writes for their own
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
            new ServingCheck(inner, presence, time),
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

  /** Records a lost creation, because a lost answer may leave an upload whose id is unknown. */
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

  /**
   * Uses other part numbers for each attempt than for the previous attempt, which may still be
   * under way.
   */
  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    int[] round = {0};
    return new Attempts(means, Operation.UPLOAD_PART, upload.key())
        .run(() -> inner.uploadPart(upload, numbers.inRound(round[0]++), body));
  }

  /**
   * Adds a write id to a conditional write that has none. All attempts of the write have the same
   * write id.
   */
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

  /**
   * Takes a failed condition for success if an earlier attempt may have deleted the object and the
   * object is gone.
   */
  @Override
  public void delete(String key, Condition condition) throws IOException {
    Attempts attempts = new Attempts(means, Operation.DELETE, key);
    try {
      attempts.run(
          () -> {
            inner.delete(key, condition);
            return null;
          });
    } catch (StoreException e) {
      boolean mayBeDone = e.kind() == Kind.PRECONDITION_FAILED && attempts.anAnswerWasLost();
      if (!mayBeDone || !lostAnswers.isGone(e, key)) {
        throw e;
      }
    }
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    try {
      return completeOnce(pending, condition);
    } catch (StoreException e) {
      // A caller that sets a write id sends only one content for each part number.
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
    if (attempts.anAnswerWasLost() && !inner.traits().uploadsSurviveCuts()) {
      lostAnswers.expectCompletion(pending, etag);
    }
    return etag;
  }

  /** Repeats the whole check when it fails, because the check consists of several writes. */
  @Override
  public boolean supportsConditionalWrites(String key) throws IOException {
    return new Attempts(means, Operation.PUT, key)
        .runUnseen(() -> inner.supportsConditionalWrites(key));
  }

  /**
   * Repeats the request for keys that failed inside a successful answer; keys that are deleted
   * already are left out.
   */
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
