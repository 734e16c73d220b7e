/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.chance.Chance;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.answers.ConditionAnswers;
import io.penstock.s3.answers.ConditionAnswers.Support;
import io.penstock.s3.settings.S3Keys;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a store honours conditions on writes. A store that does not know conditions
 * ignores them and overwrites the object. So if it is not known whether a store honours them, a
 * probe finds out, once per endpoint and bucket.
 */
record ConditionalWrites(S3Options options, ConditionAnswers answers) {
  private static final Logger log = LoggerFactory.getLogger(ConditionalWrites.class);

  /** A condition that holds for no object. */
  private static final Condition OTHER = Condition.ifMatch("0".repeat(32));

  private static final String PROBE_PREFIX = "__penstock_probe_";

  /**
   * @param beside a key in whose directory the probe writes: permissions often end with a prefix
   */
  boolean supportedBy(S3Store store, String beside) throws IOException {
    return switch (options.conditionalWrites()) {
      case TRUE -> true;
      case FALSE -> false;
      case AUTO -> options.endpoint().aws() || tried(store, beside);
    };
  }

  /**
   * Returns true if the probe has found that the store ignores this condition of a Complete; false
   * without a condition.
   */
  boolean isIgnoredByComplete(String bucket, Condition condition) {
    return !condition.equals(Condition.NONE)
        && known(bucket).filter(support -> support.onPut() && !support.onComplete()).isPresent();
  }

  /**
   * Returns true if the condition has an ETag that the store, as the probe has found, takes only
   * without quotes.
   */
  boolean isBare(String bucket, Condition condition) {
    return condition instanceof Condition.IfMatch
        && known(bucket).filter(Support::takesBareEtags).isPresent();
  }

  private Optional<Support> known(String bucket) {
    return options.conditionalWrites() == S3Keys.Conditional.AUTO
        ? answers.known(name(bucket))
        : Optional.empty();
  }

  private String name(String bucket) {
    return options.endpoint().shown() + " " + bucket;
  }

  private boolean tried(S3Store store, String beside) throws IOException {
    String directory = beside.substring(0, beside.lastIndexOf('/') + 1);
    return answers
        .get(
            name(store.bucket()),
            () -> {
              Support support = probe(store, directory);
              log.info(
                  "{} {} conditional writes (tried in s3://{}/{})",
                  options.endpoint().shown(),
                  support.onPut() ? "honours" : "ignores",
                  store.bucket(),
                  directory);
              return support;
            })
        .onPut();
  }

  private static Support probe(S3Store store, String directory) throws IOException {
    String key = directory + PROBE_PREFIX + Chance.uniqueName();
    boolean mayBeThere = true;
    boolean isThere = false;
    try {
      String etag = store.put(key, Body.empty(), Condition.IF_ABSENT);
      isThere = true;
      // A store may know only one of the two kinds of condition; both are needed.
      if (!refuses(() -> store.put(key, Body.empty(), Condition.IF_ABSENT))) {
        return Support.NONE;
      }
      if (comparesEtags(store, key, etag, false)) {
        return new Support(true, heedsCompletes(store, key), false);
      }
      // Ceph compares a quoted ETag with one without quotes; SeaweedFS wants the quotes.
      return comparesEtags(store, key, etag, true)
          ? new Support(true, heedsCompletes(store, key), true)
          : Support.NONE;
    } catch (StoreException e) {
      mayBeThere = isThere || (e.kind() != Kind.ACCESS_DENIED && e.kind() != Kind.UNSUPPORTED);
      if (e.kind() == Kind.UNSUPPORTED) {
        return Support.NONE;
      }
      throw e.because(
          "Penstock was testing whether the store supports conditional writes. Set"
              + " penstock.conditional.writes=false if it does not, or true if you know that it"
              + " honours If-None-Match and If-Match, also when an upload is completed.");
    } finally {
      if (mayBeThere) {
        remove(store, key);
      }
    }
  }

  /** Returns true if the store refuses a PUT with another ETag, and takes one with the object's. */
  private static boolean comparesEtags(S3Store store, String key, String etag, boolean isBare)
      throws IOException {
    return refuses(() -> store.put(key, Body.empty(), OTHER, isBare))
        && outcome(() -> store.put(key, Body.empty(), Condition.ifMatch(etag), isBare))
            == Outcome.DONE;
  }

  /**
   * Returns true only if the store has refused both kinds of condition when an upload is completed.
   * Otherwise warns.
   */
  private static boolean heedsCompletes(ObjectStore store, String key) throws IOException {
    Optional<Upload> open = Optional.empty();
    Outcome outcome = Outcome.UNKNOWN;
    try {
      Upload upload = store.createUpload(key);
      open = Optional.of(upload);
      Part part = store.uploadPart(upload, 1, Body.ofBytes(new byte[1]));
      PendingUpload pending = new PendingUpload(upload, List.of(part));
      outcome = outcome(() -> store.completeUpload(pending, Condition.IF_ABSENT));
      if (outcome == Outcome.REFUSED) {
        outcome = outcome(() -> store.completeUpload(pending, OTHER));
      }
      if (outcome == Outcome.DONE) {
        open = Optional.empty();
      }
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED && e.kind() != Kind.UNSUPPORTED) {
        throw e; // Another try may tell.
      }
      log.info("s3://{}: no upload could be tried: {}", store.bucket(), e.getMessage());
    } finally {
      open.ifPresent(upload -> drop(store, upload));
    }
    if (outcome != Outcome.REFUSED) {
      log.warn(
          "s3://{}: {}. So Penstock looks at the key before it completes a file of more than one"
              + " part; two writers that complete the same file at the same moment may still both"
              + " succeed",
          store.bucket(),
          outcome == Outcome.DONE
              ? "the store honours conditions on PUT, but not when an upload is completed"
              : "it is not known whether the store honours conditions when an upload is completed");
    }
    return outcome == Outcome.REFUSED;
  }

  /** Says what a store made of a write under a condition. */
  private enum Outcome {
    DONE,
    /** The condition did not hold. */
    REFUSED,
    /** It does not know the condition, and has not written. */
    UNKNOWN
  }

  private static boolean refuses(Parallel.Work<String> write) throws IOException {
    return outcome(write) == Outcome.REFUSED;
  }

  private static Outcome outcome(Parallel.Work<String> write) throws IOException {
    try {
      write.run();
      return Outcome.DONE;
    } catch (StoreException e) {
      if (e.kind() == Kind.PRECONDITION_FAILED || e.kind() == Kind.CONFLICT) {
        return Outcome.REFUSED;
      }
      if (e.kind() == Kind.UNSUPPORTED) {
        return Outcome.UNKNOWN;
      }
      throw e;
    }
  }

  private static void drop(ObjectStore store, Upload upload) {
    try {
      store.abortUpload(upload);
    } catch (IOException e) {
      log.warn(
          "The upload that tested conditional writes could not be aborted: {}", e.getMessage());
    }
  }

  /**
   * Deletes the probe's object. A failure is only logged: it must not hide the answer, which is
   * right in any case.
   */
  private static void remove(ObjectStore store, String key) {
    try {
      store.delete(key);
    } catch (IOException e) {
      log.warn(
          "The object that tested conditional writes could not be deleted; delete it by hand: {}",
          e.getMessage());
    }
  }
}
