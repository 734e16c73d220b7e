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
  private static final String PROBE_PREFIX = "__penstock_probe_";

  /**
   * @param beside a key in whose directory the probe writes: permissions often end with a prefix
   */
  boolean supportedBy(ObjectStore store, String beside) throws IOException {
    return switch (options.conditionalWrites()) {
      case TRUE -> true;
      case FALSE -> false;
      case AUTO -> options.endpoint().aws() || tried(store, beside);
    };
  }

  /** Returns true if the probe has found that the store ignores the condition of a Complete. */
  boolean areIgnoredByComplete(String bucket) {
    return options.conditionalWrites() == S3Keys.Conditional.AUTO
        && answers.known(name(bucket)).equals(Optional.of(Support.PUT));
  }

  private String name(String bucket) {
    return options.endpoint().shown() + " " + bucket;
  }

  private boolean tried(ObjectStore store, String beside) throws IOException {
    String directory = beside.substring(0, beside.lastIndexOf('/') + 1);
    Support found =
        answers.get(
            name(store.bucket()),
            () -> {
              Support support = probe(store, directory);
              log.info(
                  "{} {} conditional writes (tried in s3://{}/{})",
                  options.endpoint().shown(),
                  support == Support.NONE ? "ignores" : "honours",
                  store.bucket(),
                  directory);
              return support;
            });
    return found != Support.NONE;
  }

  private static Support probe(ObjectStore store, String directory) throws IOException {
    String key = directory + PROBE_PREFIX + Chance.uniqueName();
    boolean mayBeThere = true;
    boolean isThere = false;
    try {
      store.put(key, Body.empty(), Condition.IF_ABSENT);
      isThere = true;
      // A store may know only one of the two kinds of condition; both are needed.
      boolean isHonoured =
          refuses(() -> store.put(key, Body.empty(), Condition.IF_ABSENT))
              && refuses(() -> store.put(key, Body.empty(), Condition.ifMatch("0".repeat(32))));
      return isHonoured ? ofCompletes(store, key) : Support.NONE;
    } catch (StoreException e) {
      mayBeThere = isThere || (e.kind() != Kind.ACCESS_DENIED && e.kind() != Kind.UNSUPPORTED);
      if (e.kind() == Kind.UNSUPPORTED) {
        return Support.NONE;
      }
      throw e.because(
          "Penstock was testing whether the store supports conditional writes. Set"
              + " penstock.conditional.writes=true if you know that it does, otherwise false.");
    } finally {
      if (mayBeThere) {
        remove(store, key);
      }
    }
  }

  /** Warns if the store honours conditions on PUT but ignores them when an upload is completed. */
  private static Support ofCompletes(ObjectStore store, String key) {
    Optional<Upload> open = Optional.empty();
    Support support = Support.PUT_AND_COMPLETE;
    try {
      Upload upload = store.createUpload(key);
      open = Optional.of(upload);
      Part part = store.uploadPart(upload, 1, Body.ofBytes(new byte[1]));
      PendingUpload pending = new PendingUpload(upload, List.of(part));
      if (!refuses(() -> store.completeUpload(pending, Condition.IF_ABSENT))) {
        log.warn(
            "s3://{}: the store honours conditions on PUT, but not when an upload is completed. So"
                + " Penstock looks at the key before it completes a file of more than one part; two"
                + " writers that complete the same file at the same moment may still both succeed",
            store.bucket());
        open = Optional.empty();
        support = Support.PUT;
      }
    } catch (IOException e) {
      log.info(
          "s3://{}: it is not known whether the store honours conditions when an upload is"
              + " completed: {}",
          store.bucket(),
          e.getMessage());
    }
    open.ifPresent(upload -> drop(store, upload));
    return support;
  }

  private static boolean refuses(Parallel.Work<String> write) throws IOException {
    try {
      write.run();
      return false;
    } catch (StoreException e) {
      if (e.kind() == Kind.PRECONDITION_FAILED || e.kind() == Kind.CONFLICT) {
        return true;
      }
      if (e.kind() == Kind.UNSUPPORTED) {
        return false;
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
