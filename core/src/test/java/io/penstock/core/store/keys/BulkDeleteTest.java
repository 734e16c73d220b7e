/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bulk deletes in which some keys are a problem. */
class BulkDeleteTest {
  private final FaultyStore faulty =
      new FaultyStore(
          new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"))));

  /** Each bulk delete takes the next of these; what it names is not done. */
  private final Deque<Map<String, Kind>> bulkFailures = new ArrayDeque<>();

  private final Map<String, Kind> singleFailures = new HashMap<>();

  private final ObjectStore store =
      new StoreWrapper(faulty) {
        @Override
        public Map<String, StoreException> deleteAll(Map<String, Condition> keys)
            throws IOException {
          Map<String, Kind> kinds = bulkFailures.isEmpty() ? Map.of() : bulkFailures.poll();
          Map<String, Condition> done = new LinkedHashMap<>(keys);
          done.keySet().removeAll(kinds.keySet());
          Map<String, StoreException> failed = new LinkedHashMap<>();
          kinds.forEach((key, kind) -> failed.put(key, failure(key, kind)));
          failed.putAll(inner.deleteAll(done.isEmpty() ? Map.of("none", Condition.NONE) : done));
          return failed;
        }

        @Override
        public void delete(String key, Condition condition) throws IOException {
          inner.delete(key, condition);
          if (singleFailures.containsKey(key)) {
            throw failure(key, singleFailures.get(key));
          }
        }
      };

  private static StoreException failure(String key, Kind kind) {
    return StoreException.of(kind, Operation.DELETE_ALL, "s3://lake/" + key, "scripted " + kind);
  }

  @Test
  void keysThatXmlCannotCarryAreDeletedAlone() throws IOException {
    assertThat(Keys.deletePage(store, List.of("a", "b\u0001", "c", "d\ufffe", "\ud800"))).isEmpty();
    assertThat(faulty.log())
        .containsExactly("DELETE_ALL a", "DELETE b\u0001", "DELETE d\ufffe", "DELETE \ud800");
  }

  @Test
  void keysThatNoObjectCanHaveCostNoRequest() throws IOException {
    assertThat(Keys.deletePage(store, List.of("", "k".repeat(1025)))).isEmpty();
    assertThat(faulty.log()).isEmpty();
    assertThat(Keys.deletePage(store, List.of("", "a", "k".repeat(1025)))).isEmpty();
    assertThat(faulty.log()).containsExactly("DELETE a");
  }

  @Test
  void aBulkDeleteThatIsRefusedAsSuchBecomesSingleOnes() throws IOException {
    for (Kind kind : List.of(Kind.INVALID_REQUEST, Kind.UNSUPPORTED, Kind.NOT_S3)) {
      faulty.reset();
      faulty.failAlways(Operation.DELETE_ALL, kind);
      assertThat(Keys.deletePage(store, List.of("a", "b"))).isEmpty();
      assertThat(faulty.log()).containsExactly("DELETE_ALL a", "DELETE a", "DELETE b");
    }
  }

  @Test
  void anotherFailureOfTheWholeIsThrown() {
    faulty.failAlways(Operation.DELETE_ALL, Kind.CONNECTION_LOST);
    assertThatThrownBy(() -> Keys.deletePage(store, List.of("a", "b")))
        .hasMessageContaining("CONNECTION_LOST");
    assertThat(faulty.log()).containsExactly("DELETE_ALL a");
  }

  @Test
  void unconfirmedKeysAreAskedForOnceMoreInBulk() throws IOException {
    bulkFailures.add(Map.of("b", Kind.NOT_S3, "c", Kind.NOT_S3));
    assertThat(Keys.deletePage(store, List.of("a", "b", "c"))).isEmpty();
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.DELETE_ALL, 2));
  }

  @Test
  void keysThatAreNeverConfirmedAreDeletedAlone() throws IOException {
    bulkFailures.add(Map.of("b", Kind.NOT_S3, "c", Kind.NOT_S3));
    bulkFailures.add(Map.of("b", Kind.NOT_S3, "c", Kind.NOT_S3));
    assertThat(Keys.deletePage(store, List.of("a", "b", "c"))).isEmpty();
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.DELETE_ALL, 2, Operation.DELETE, 2));
  }

  @Test
  void theRestIsDeletedWhenOneKeyMayNotBe() throws IOException {
    bulkFailures.add(Map.of("b", Kind.ACCESS_DENIED));
    Map<String, StoreException> failed = Keys.deletePage(store, List.of("a", "b", "c"));
    assertThat(failed).containsOnlyKeys("b");
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.DELETE_ALL, 1));

    singleFailures.put("b\u0001", Kind.ACCESS_DENIED);
    assertThat(Keys.deletePage(store, List.of("b\u0001", "c\u0001"))).containsOnlyKeys("b\u0001");
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.DELETE_ALL, 1, Operation.DELETE, 2));
  }

  @Test
  void anObjectThatWasWrittenSinceStays() throws IOException {
    String first = faulty.put("a", Body.ofBytes(new byte[1]), Condition.NONE);
    Condition listed = Condition.ifMatch(first);
    faulty.put("b", Body.ofBytes(new byte[1]), Condition.NONE);
    faulty.put("c", Body.ofBytes(new byte[1]), Condition.NONE);
    faulty.put("b", Body.ofBytes(new byte[2]), Condition.NONE);
    faulty.reset();
    Keys.deleteUnchanged(
        store,
        List.of(
            Map.entry("a", listed),
            Map.entry("b", listed),
            Map.entry("c", Condition.NONE),
            Map.entry("gone", listed)),
        Runnable::run);
    assertThat(Keys.under(faulty, "").stream().map(ObjectMeta::key)).containsExactly("b");
    assertThat(faulty.requests())
        .isEqualTo(Map.of(Operation.DELETE_ALL, 1, Operation.HEAD, 1, Operation.LIST, 1));
  }

  @Test
  void oldDataGoesThoughTheStoreContradictsItselfAboutItsEtag() throws IOException {
    Condition listed = Condition.ifMatch(faulty.put("a", Body.empty(), Condition.NONE));
    faulty.put("b", Body.empty(), Condition.NONE);
    bulkFailures.add(Map.of("a", Kind.PRECONDITION_FAILED, "gone", Kind.PRECONDITION_FAILED));
    Keys.deleteUnchanged(
        store,
        List.of(Map.entry("a", listed), Map.entry("b", listed), Map.entry("gone", listed)),
        Runnable::run);
    assertThat(Keys.under(faulty, "")).isEmpty();
  }

  @Test
  void aKeyWithoutAConditionThatIsThereYetIsAFailure() throws IOException {
    faulty.put("a", Body.empty(), Condition.NONE);
    bulkFailures.add(Map.of("a", Kind.PRECONDITION_FAILED));
    assertThatThrownBy(() -> Keys.deleteAll(store, List.of("a", "b"), Runnable::run))
        .hasMessageContaining("PRECONDITION_FAILED");
    singleFailures.put("a", Kind.PRECONDITION_FAILED);
    assertThatThrownBy(() -> Keys.deleteAll(store, List.of("a"), Runnable::run))
        .hasMessageContaining("PRECONDITION_FAILED");
  }

  @Test
  void aStoreThatServesNobodyIsNotAskedForEachKey() {
    faulty
        .failAlways(Operation.DELETE_ALL, Kind.UNSUPPORTED)
        .failAlways(Operation.DELETE, Kind.SERVER_ERROR);
    assertThatThrownBy(() -> Keys.deletePage(store, List.of("a", "b", "c")))
        .hasMessageContaining("SERVER_ERROR");
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.DELETE_ALL, 1, Operation.DELETE, 1));
  }
}
