/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.meta.UserMetadata;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of writes that hold only under a condition, and of the write ids they leave. */
interface ConditionContract extends StoreUnderTest {
  @Test
  default void conditionalWritesAreSupported() throws IOException {
    assertThat(store().supportsConditionalWrites("key")).isTrue();
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  default void putIfAbsentWritesOnce() throws IOException {
    store().put(prefix() + "once", Body.ofBytes(content(1)), Condition.IF_ABSENT);
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store().put(prefix() + "once", Body.ofBytes(content(2)), Condition.IF_ABSENT));
    assertThat(store().head(prefix() + "once").sizeBytes()).isEqualTo(1);
  }

  @Test
  default void putIfMatchReplacesOnlyThatObject() throws IOException {
    String first = put("object", content(1));
    String second =
        store().put(prefix() + "object", Body.ofBytes(content(2)), Condition.ifMatch(first));
    assertThat(second).isNotEqualTo(first);
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store().put(prefix() + "object", Body.ofBytes(content(3)), Condition.ifMatch(first)));
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store().put(prefix() + "gone", Body.ofBytes(content(3)), Condition.ifMatch(first)));
  }

  @Test
  default void deleteIfMatchDeletesOnlyThatObject() throws IOException {
    String first = put("object", content(1));
    String second = put("object", content(2));
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store().delete(prefix() + "object", Condition.ifMatch(first)));
    assertThat(store().head(prefix() + "object").etag()).isEqualTo(second);

    store().delete(prefix() + "object", Condition.ifMatch(second));
    assertThat(keysUnder("")).isEmpty();
    store().delete(prefix() + "object", Condition.ifMatch(second));
  }

  @Test
  default void nothingIsDeletedUnderTheConditionThatNothingIsThere() throws IOException {
    put("object", content(1));
    assertThatThrownBy(() -> store().delete(prefix() + "object", Condition.IF_ABSENT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(keysUnder("")).containsExactly("object");
  }

  @Test
  default void theMarkOfAConditionalPutComesBack() throws IOException {
    String key = prefix() + "marked";
    String first =
        store().put(key, Body.ofBytes(content(1)), Condition.IF_ABSENT.withWriteId("a1"));
    assertThat(store().head(key).writeId()).contains("a1");
    assertThat(store().get(key, new ByteRange(0, 1), Optional.empty()).meta().writeId())
        .contains("a1");
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store().put(key, Body.ofBytes(content(1)), Condition.IF_ABSENT.withWriteId("b2")));
    assertThat(store().head(key).writeId()).contains("a1");
    store().put(key, Body.ofBytes(content(2)), Condition.ifMatch(first).withWriteId("c3"));
    assertThat(store().head(key).writeId()).contains("c3");
    assertThat(store().list(ListRequest.flat(key)).objects().get(0).writeId()).isEmpty();
  }

  @Test
  default void theStoreKeepsWhatAWriterSaysOfAnObjectAndOfItsCopies() throws IOException {
    String key = prefix() + "labelled";
    UserMetadata user = UserMetadata.of(Map.of("Owner", "team a"));
    String etag = store().put(key, Body.ofBytes(content(1)).with(user), Condition.NONE);
    assertThat(store().head(key).user()).isEqualTo(user);
    assertThat(store().get(key, new ByteRange(0, 1), Optional.empty()).meta().user())
        .isEqualTo(user);
    assertThat(store().list(ListRequest.flat(key)).objects().get(0).user().isEmpty()).isTrue();
    store().copy(key, prefix() + "copy", Optional.of(etag));
    assertThat(store().head(prefix() + "copy").user()).isEqualTo(user);
    store().put(key, Body.ofBytes(content(1)), Condition.ifMatch(etag).withWriteId("a1"));
    assertThat(store().head(key).user().isEmpty()).isTrue();
  }

  @Test
  default void aPlainPutLeavesNoMarkAndACopyKeepsThatOfItsSource() throws IOException {
    store()
        .put(prefix() + "marked", Body.ofBytes(content(1)), Condition.IF_ABSENT.withWriteId("a1"));
    put("plain", content(1));

    store().copy(prefix() + "marked", prefix() + "copy", Optional.empty());
    assertThat(store().head(prefix() + "copy").writeId()).contains("a1");

    store().copy(prefix() + "plain", prefix() + "copy", Optional.empty());
    assertThat(store().head(prefix() + "copy").writeId()).isEmpty();
    put("marked", content(1));
    assertThat(store().head(prefix() + "marked").writeId()).isEmpty();
  }

  @Test
  default void ofManyPutsIfAbsentExactlyOneWins() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 5; round++) {
        String key = prefix() + "race-" + round;
        List<Callable<Boolean>> writers =
            IntStream.range(0, 8).<Callable<Boolean>>mapToObj(i -> () -> wins(key, i)).toList();
        int winners = 0;
        for (Future<Boolean> result : threads.invokeAll(writers)) {
          winners += result.get() ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private boolean wins(String key, int writer) throws IOException {
    try {
      store().put(key, Body.ofBytes(content(100 + writer)), Condition.IF_ABSENT);
      return true;
    } catch (StoreException e) {
      assertThat(e.kind()).isIn(Kind.PRECONDITION_FAILED, Kind.CONFLICT);
      return false;
    }
  }
}
