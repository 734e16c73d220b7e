/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.recent.LruCache;
import java.io.IOException;

/** Remembers which buckets honour conditional writes. Safe for many threads. */
public final class ConditionAnswers {
  /** More buckets than a process uses at a time. A bucket beyond this limit is probed again. */
  private static final int MOST = 10_000;

  /**
   * One entry for each endpoint and bucket. Its monitor lets other threads wait for the single
   * probe.
   */
  private final LruCache<String, Answer> answers = new LruCache<>(MOST);

  private static final class Answer {
    private Boolean supported;
  }

  /** Finds out whether a bucket honours conditional writes. */
  public interface Probe {
    boolean run() throws IOException;
  }

  /**
   * Returns the known answer. If there is none, runs the probe; if the probe fails, nothing is
   * remembered.
   */
  public boolean get(String bucket, Probe probe) throws IOException {
    Answer answer = answers.computeIfAbsent(bucket, name -> new Answer());
    synchronized (answer) {
      if (answer.supported == null) {
        answer.supported = probe.run();
      }
      return answer.supported;
    }
  }
}
