/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Renames of directories that fail half way. */
class ChangesTest {
  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final FaultyStore store = new FaultyStore(bare);
  private final Changes changes = new Changes(store, null, Runnable::run);

  @BeforeEach
  void fill() throws IOException {
    for (String key : List.of("a/1", "a/2", "a/3")) {
      bare.put(key, Body.empty(), Condition.NONE);
    }
  }

  private List<String> keys() throws IOException {
    return Keys.under(bare, "").stream().map(ObjectMeta::key).toList();
  }

  @Test
  void aCopyThatFailsLeavesTheSourceAlone() throws IOException {
    store.failAfter(Operation.COPY, 2, Kind.ACCESS_DENIED);
    assertThatThrownBy(() -> changes.renameDirectory("a", "b"))
        .hasMessageContaining("ACCESS_DENIED");
    assertThat(keys()).containsExactly("a/1", "a/2", "a/3");
  }

  @Test
  void copiesThatCannotBeDeletedAreNamed() {
    store
        .failBefore(Operation.COPY, 2, Kind.ACCESS_DENIED)
        .failAlways(Operation.DELETE_ALL, Kind.SERVER_ERROR);
    assertThatThrownBy(() -> changes.renameDirectory("a", "b"))
        .satisfies(
            e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("delete s3://lake/b/"));
  }

  @Test
  void aSourceThatCannotBeDeletedIsNamed() throws IOException {
    store.failAlways(Operation.DELETE_ALL, Kind.SERVER_ERROR);
    assertThatThrownBy(() -> changes.renameDirectory("a", "b"))
        .hasMessageContaining("s3://lake/b/ is whole")
        .hasMessageContaining("s3://lake/a/");
    assertThat(keys()).contains("b/1", "b/2", "b/3");
  }
}
