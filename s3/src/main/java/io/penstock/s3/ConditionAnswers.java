/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.Recent;
import java.io.IOException;

/** Remembers which buckets were found to honour conditional writes. Safe for many threads. */
final class ConditionAnswers {
  /** More buckets than a process uses at a time; one that is asked again is tried again. */
  private static final int MOST = 10_000;

  /** One entry for each endpoint and bucket; its monitor makes others wait for the one probe. */
  private final Recent<String, Answer> answers = new Recent<>(MOST);

  private static final class Answer {
    private Boolean supported;
  }

  /** Tries a bucket. */
  interface Probe {
    boolean run() throws IOException;
  }

  /** Returns the answer, by the probe if there is none yet; a probe that fails is none. */
  boolean get(String bucket, Probe probe) throws IOException {
    Answer answer = answers.computeIfAbsent(bucket, name -> new Answer());
    synchronized (answer) {
      if (answer.supported == null) {
        answer.supported = probe.run();
      }
      return answer.supported;
    }
  }
}
