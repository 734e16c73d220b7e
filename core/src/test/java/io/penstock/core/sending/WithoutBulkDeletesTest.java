/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.request.ThreadEnd;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that knows no bulk deletes, as some that speak S3 do not. */
class WithoutBulkDeletesTest {
  private final InMemoryStore objects = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final List<String> sent = new ArrayList<>();
  private final LayeredStore store = LayeredStores.of(new Old(), new ThreadEnd());

  private final class Old extends StoreWrapper {
    Old() {
      super(objects);
    }

    @Override
    public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
      sent.add("all");
      throw failure(Kind.UNSUPPORTED, Operation.DELETE_ALL, "");
    }

    @Override
    public void delete(String key, Condition condition) throws IOException {
      sent.add(key);
      if (key.startsWith("mine")) {
        throw failure(Kind.ACCESS_DENIED, Operation.DELETE, key);
      }
      if (key.startsWith("away")) {
        throw failure(Kind.SERVER_ERROR, Operation.DELETE, key);
      }
      super.delete(key, condition);
    }
  }

  private static StoreException failure(Kind kind, Operation operation, String key) {
    return StoreException.of(kind, operation, key, "said so.");
  }

  @BeforeEach
  void putObjects() throws IOException {
    for (String key : List.of("a", "b", "mine", "c")) {
      store.put(key, Body.ofBytes(new byte[1]), Condition.NONE);
    }
  }

  @Test
  void eachObjectIsDeletedByItselfAndEachFailureIsItsOwn() throws IOException {
    Map<String, StoreException> failed =
        store.deleteAll(Condition.noneFor(List.of("a", "mine", "none", "b")));
    assertThat(failed).containsOnlyKeys("mine");
    assertThat(failed.get("mine").kind()).isEqualTo(Kind.ACCESS_DENIED);
    assertThat(objects.list(ListRequest.level("")).objects())
        .extracting(ObjectMeta::key)
        .containsExactly("c", "mine");
  }

  @Test
  void theStoreIsAskedOnce() throws IOException {
    store.deleteAll(Condition.noneFor(List.of("a")));
    store.deleteAll(Condition.noneFor(List.of("b", "c")));
    assertThat(sent).containsExactly("all", "a", "b", "c");
  }

  @Test
  void aStoreThatIsAwayIsNotAskedForEachKey() {
    assertThatThrownBy(() -> store.deleteAll(Condition.noneFor(List.of("away", "a"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("away");
    assertThat(sent).containsExactly("all", "away");
  }
}
