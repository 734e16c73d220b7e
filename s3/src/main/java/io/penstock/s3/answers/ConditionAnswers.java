/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.recent.LruCache;
import java.io.IOException;
import java.util.Optional;

/** Remembers which conditional writes buckets honour. Safe for many threads. */
public final class ConditionAnswers {
  /** More buckets than a process uses at a time. A bucket beyond this limit is probed again. */
  private static final int MOST = 10_000;

  /**
   * One entry for each endpoint and bucket. Its monitor lets other threads wait for the single
   * probe.
   */
  private final LruCache<String, Answer> answers = new LruCache<>(MOST);

  private static final class Answer {
    private volatile Support support;
  }

  /**
   * What a store honours.
   *
   * @param onPut whether it honours the condition of a PUT
   * @param onComplete whether it honours that of a Complete
   * @param takesBareEtags whether it wants the ETag in the If-Match of a PUT without quotes
   */
  public record Support(boolean onPut, boolean onComplete, boolean takesBareEtags) {
    public static final Support NONE = new Support(false, false, false);
  }

  /** Finds out which conditional writes a bucket honours. */
  public interface Probe {
    Support run() throws IOException;
  }

  /**
   * Returns the known answer. If there is none, runs the probe; if the probe fails, nothing is
   * remembered.
   */
  public Support get(String bucket, Probe probe) throws IOException {
    Answer answer = answers.computeIfAbsent(bucket, name -> new Answer());
    synchronized (answer) {
      if (answer.support == null) {
        answer.support = probe.run();
      }
      return answer.support;
    }
  }

  /** Returns the known answer; empty if there is none yet. */
  public Optional<Support> known(String bucket) {
    return answers.get(bucket).map(answer -> answer.support);
  }
}
