/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats failed attempts. Every request of the port may be repeated; what differs is how a lost
 * answer shows. A conditional PUT or a Complete that had in fact been done fails when it is
 * repeated, so such a failure is resolved by looking at the object before it is believed.
 */
public final class RetryingStore extends StoreWrapper {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingStore.class);

  private final RetryConfig config;
  private final RetryDecider decider;
  private final Time time;
  private final SplittableRandom chance;

  public RetryingStore(ObjectStore inner, RetryConfig config, Time time, SplittableRandom chance) {
    super(inner);
    this.config = config;
    this.decider = new RetryDecider(config);
    this.time = time;
    this.chance = chance;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    return new Attempts().run(call);
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    Attempts attempts = new Attempts();
    try {
      return attempts.run(() -> inner.put(key, body, condition));
    } catch (StoreException e) {
      if (attempts.anAnswerWasLost && e.kind() == Kind.PRECONDITION_FAILED) {
        return ownWrite(e, key, body.sizeBytes(), Etags.ofContent(body)::equals);
      }
      throw e;
    }
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    Attempts attempts = new Attempts();
    try {
      return attempts.run(() -> inner.completeUpload(pending, condition));
    } catch (StoreException e) {
      boolean doneBefore = e.kind() == Kind.NO_SUCH_UPLOAD || e.kind() == Kind.PRECONDITION_FAILED;
      if (attempts.anAnswerWasLost && doneBefore) {
        boolean uploadIsGone = e.kind() == Kind.NO_SUCH_UPLOAD;
        return ownWrite(
            e, pending.key(), pending.sizeBytes(), etag -> isOf(pending, etag, uploadIsGone));
      }
      throw e;
    }
  }

  /** Keys that failed inside a good answer are repeated as requests are, without those done. */
  @Override
  public Map<String, StoreException> deleteAll(List<String> keys) throws IOException {
    Attempts attempts = new Attempts();
    Map<String, StoreException> failed = new LinkedHashMap<>();
    List<String> rest = keys;
    do {
      List<String> asked = rest;
      Map<String, StoreException> failures = attempts.run(() -> inner.deleteAll(asked));
      rest = attempts.waitAfter(asked, failures, failed);
    } while (!rest.isEmpty());
    return failed;
  }

  /** Returns the ETag when the object is the one we wrote, and fails as the store did otherwise. */
  private String ownWrite(
      StoreException failure, String key, long sizeBytes, Predicate<String> isOurs)
      throws IOException {
    ObjectMeta found;
    try {
      found = head(key);
    } catch (StoreException e) {
      failure.addSuppressed(e);
      throw failure;
    }
    if (found.sizeBytes() == sizeBytes && isOurs.test(found.etag())) {
      LOG.info("{} {}: its answer was lost, but it had been done", failure.operation(), key);
      return found.etag();
    }
    throw failure;
  }

  /**
   * Whether an object of the upload's size is the upload's. Its ETag is made of the parts' ETags.
   * Should a store make it otherwise, as it may with KMS or customer keys, the number of parts in
   * it is proof enough once the upload is gone, since only its owner could end it. While the upload
   * may still be there, another writer's object of the same shape is not taken for ours.
   */
  private static boolean isOf(PendingUpload pending, String etag, boolean uploadIsGone) {
    if (uploadIsGone) {
      return etag.endsWith("-" + pending.parts().size());
    }
    try {
      return etag.equals(Etags.ofParts(pending.parts()));
    } catch (IllegalArgumentException e) {
      return false; // The parts' ETags are not MD5s, so nothing proves that the object is ours.
    }
  }

  private double nextChance() {
    synchronized (chance) {
      return chance.nextDouble();
    }
  }

  /** The attempts of one request. */
  private final class Attempts {
    private final long startNanos = time.nowNanos();
    private boolean anAnswerWasLost;
    private int failed;

    <T> T run(Call<T> call) throws IOException {
      while (true) {
        try {
          return call.run();
        } catch (StoreException e) {
          waitAfter(e);
        }
      }
    }

    private void waitAfter(StoreException failure) throws IOException {
      failed++;
      // A 503 may be a proxy's, which lost the answer; looking at the object costs one HEAD.
      anAnswerWasLost |=
          failure.kind().retry() == Retry.IF_IDEMPOTENT || failure.kind() == Kind.THROTTLED;
      Duration elapsed = elapsed();
      Optional<Duration> wait = decider.next(failure.kind(), failed, elapsed, nextChance());
      if (wait.isEmpty()) {
        throw end(failure, elapsed);
      }
      sleep(wait.get(), failure);
    }

    /**
     * Waits after an answer in which some keys failed, and returns those worth another attempt.
     *
     * @param ended receives the failures of the others
     */
    List<String> waitAfter(
        List<String> asked, Map<String, StoreException> failures, Map<String, StoreException> ended)
        throws IOException {
      if (failures.isEmpty()) {
        return List.of();
      }
      failed++;
      Duration elapsed = elapsed();
      double draw = nextChance();
      Set<String> known = new HashSet<>(asked);
      Set<String> again = new HashSet<>();
      Duration longest = Duration.ZERO;
      for (Map.Entry<String, StoreException> entry : failures.entrySet()) {
        StoreException failure = entry.getValue();
        Optional<Duration> wait =
            // A store may name a key that nobody asked for; repeating that one makes no sense.
            known.contains(entry.getKey())
                ? decider.next(failure.kind(), failed, elapsed, draw)
                : Optional.empty();
        if (wait.isEmpty()) {
          ended.put(entry.getKey(), end(failure, elapsed));
          continue;
        }
        again.add(entry.getKey());
        longest = longest.compareTo(wait.get()) < 0 ? wait.get() : longest;
      }
      List<String> rest = asked.stream().filter(again::contains).toList();
      if (!rest.isEmpty()) {
        sleep(longest, failures.get(rest.get(0)));
      }
      return rest;
    }

    private Duration elapsed() {
      return Duration.ofNanos(time.nowNanos() - startNanos);
    }

    private StoreException end(StoreException failure, Duration elapsed) {
      return failure.kind().retry() == Retry.NEVER ? failure : gaveUp(failure, elapsed);
    }

    private void sleep(Duration wait, StoreException failure) throws IOException {
      LOG.debug("attempt {} failed, next in {}: {}", failed, wait, failure.getMessage());
      try {
        time.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted =
            new InterruptedIOException("interrupted while waiting to retry");
        interrupted.initCause(failure);
        throw interrupted;
      }
    }

    private StoreException gaveUp(StoreException failure, Duration elapsed) {
      return failure.because(
          "Gave up after %d attempts in %.1f s (retry.attempts.max=%d, retry.duration.max=%d s)."
              .formatted(
                  failed,
                  elapsed.toMillis() / 1000.0,
                  config.attemptsMax(),
                  config.durationMax().toSeconds()));
    }
  }
}
