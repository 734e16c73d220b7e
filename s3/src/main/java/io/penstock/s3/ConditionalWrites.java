/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.Recent;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a store honours conditions on writes. One that does not know them ignores them and
 * overwrites, so where it is not known it is tried, once per endpoint and bucket in the process.
 */
record ConditionalWrites(S3Options options) {
  private static final Logger log = LoggerFactory.getLogger(ConditionalWrites.class);
  private static final String PROBE_PREFIX = "__penstock_probe_";

  /** More buckets than a process uses at a time; one that is asked again is tried again. */
  private static final int ANSWERS_MAX = 10_000;

  /** One entry for each endpoint and bucket; its monitor makes others wait for the one probe. */
  private static final Recent<String, Answer> ANSWERS = new Recent<>(ANSWERS_MAX);

  private static final class Answer {
    private Boolean supported;
  }

  boolean supportedBy(ObjectStore store) throws IOException {
    return switch (options.conditionalWrites()) {
      case TRUE -> true;
      case FALSE -> false;
      case AUTO -> options.endpoint().aws() || tried(store);
    };
  }

  private boolean tried(ObjectStore store) throws IOException {
    String name = options.endpoint().shown() + " " + store.bucket();
    Answer answer = ANSWERS.computeIfAbsent(name, n -> new Answer());
    synchronized (answer) {
      if (answer.supported == null) {
        answer.supported = probe(store);
        log.info(
            "{} {} conditional writes (tried in s3://{})",
            options.endpoint().shown(),
            answer.supported ? "honours" : "ignores",
            store.bucket());
      }
      return answer.supported;
    }
  }

  private static boolean probe(ObjectStore store) throws IOException {
    String key = PROBE_PREFIX + UUID.randomUUID();
    boolean mayBeThere = true;
    try {
      store.put(key, Body.empty(), Condition.IF_ABSENT);
      // A store may know one kind of condition and not the other; both are needed.
      return refuses(store, key, Condition.IF_ABSENT)
          && refuses(store, key, Condition.ifMatch("0".repeat(32)));
    } catch (StoreException e) {
      mayBeThere = e.kind() != Kind.ACCESS_DENIED && e.kind() != Kind.UNSUPPORTED;
      if (e.kind() == Kind.UNSUPPORTED) {
        return false;
      }
      throw e.because(
          "This was a try whether the store honours conditional writes; set"
              + " penstock.conditional.writes=true if you know that it does, else false.");
    } finally {
      if (mayBeThere) {
        remove(store, key);
      }
    }
  }

  private static boolean refuses(ObjectStore store, String key, Condition condition)
      throws IOException {
    try {
      store.put(key, Body.empty(), condition);
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

  /** A failure here must not hide the answer, which is right in any case. */
  private static void remove(ObjectStore store, String key) {
    try {
      store.delete(key);
    } catch (IOException e) {
      log.warn("A probe is left over, delete it by hand: {}", e.getMessage());
    }
  }
}
