/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.sending.LayeredStore;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bulk deletions of which some keys failed. */
class RetriedDeletionTest {
  private final Fixture s3 = new Fixture();

  /** Answers deleteAll with these failures, one answer after the other, then without any. */
  private ObjectStore refusingDeletions(List<Map<String, Kind>> answers, List<List<String>> asked) {
    return new StoreWrapper(s3.faulty) {
      @Override
      public Map<String, StoreException> deleteAll(Map<String, Condition> keys) {
        Map<String, StoreException> failures = new LinkedHashMap<>();
        if (asked.size() < answers.size()) {
          answers
              .get(asked.size())
              .forEach(
                  (key, kind) ->
                      failures.put(
                          key,
                          StoreException.of(kind, Operation.DELETE_ALL, key, "scripted " + kind)));
        }
        asked.add(List.copyOf(keys.keySet()));
        return failures;
      }
    };
  }

  @Test
  void keysThatFailInsideAGoodAnswerAreRepeatedAlone() throws IOException {
    List<List<String>> asked = new ArrayList<>();
    ObjectStore inner =
        refusingDeletions(
            List.of(
                Map.of("b", Kind.SERVER_ERROR, "c", Kind.THROTTLED, "d", Kind.ACCESS_DENIED),
                Map.of("c", Kind.THROTTLED)),
            asked);
    LayeredStore retrying = s3.retrying(inner);

    Map<String, StoreException> failed = retrying.deleteAll(List.of("a", "b", "c", "d"));

    assertThat(asked).containsExactly(List.of("a", "b", "c", "d"), List.of("b", "c"), List.of("c"));
    assertThat(failed).containsOnlyKeys("d");
    assertThat(failed.get("d").kind()).isEqualTo(Kind.ACCESS_DENIED);
    // A throttled key waits as a throttled request does: 250 to 500 ms, then 500 to 1,000 ms.
    assertThat(Duration.ofNanos(s3.time.nowNanos()))
        .isBetween(Duration.ofMillis(750), Duration.ofMillis(1500));
  }

  @Test
  void keysThatFailInEveryAnswerAreGivenUpAndReturned() throws IOException {
    List<List<String>> asked = new ArrayList<>();
    ObjectStore inner =
        refusingDeletions(Collections.nCopies(100, Map.of("b", Kind.SERVER_ERROR)), asked);
    LayeredStore retrying = s3.retrying(inner);

    Map<String, StoreException> failed = retrying.deleteAll(List.of("a", "b"));

    assertThat(asked).hasSize(5);
    assertThat(failed).containsOnlyKeys("b");
    assertThat(failed.get("b")).hasMessageContaining("Gave up after 5 attempts");
  }

  @Test
  void aFailureOfAKeyThatWasNotAskedForIsReturnedAndNotRepeated() throws IOException {
    List<List<String>> asked = new ArrayList<>();
    ObjectStore inner = refusingDeletions(List.of(Map.of("%61", Kind.SERVER_ERROR)), asked);
    LayeredStore retrying = s3.retrying(inner);

    assertThat(retrying.deleteAll(List.of("a"))).containsOnlyKeys("%61");
    assertThat(asked).containsExactly(List.of("a"));
  }
}
