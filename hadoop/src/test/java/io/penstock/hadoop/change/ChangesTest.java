/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Renames of directories that fail half way. */
class ChangesTest {
  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final FaultyStore store = new FaultyStore(bare);
  private final Changes changes =
      new Changes(
          store,
          null,
          Runnable::run,
          () -> "id",
          new CommitsBelow(null, null) {
            @Override
            List<ObjectMeta> list(String prefix, UnaryOperator<ObjectMeta> keeps)
                throws IOException {
              return Keys.under(bare, prefix);
            }

            @Override
            void await(String prefix) {}
          });

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
  void aCopyThatFailsLeavesTheSourceAloneAndSaysWhereCopiesAre() throws IOException {
    store.failAfter(Operation.COPY, 2, Kind.ACCESS_DENIED);
    assertThatThrownBy(() -> changes.renameDirectory("a", "b"))
        .hasMessageContaining("ACCESS_DENIED")
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .hasMessageContaining("s3://lake/a/ is unchanged")
                    .hasMessageContaining("s3://lake/b/. Delete those"));
    // Another client may have made the copies that are there by now.
    assertThat(keys()).containsExactly("a/1", "a/2", "a/3", "b/1", "b/2");
  }

  @Test
  void anObjectOf50TerabytesIsCopiedInPartsThatS3Takes() {
    assertThat(Changes.copyPartBytes(6L << 30)).isEqualTo(536_870_912);
    assertThat(Changes.copyPartBytes(5_368_709_120_000L)).isEqualTo(536_870_912);
    assertThat(Changes.copyPartBytes(5_368_709_120_001L)).isEqualTo(536_870_913);
    assertThat(Changes.copyPartBytes(50_000_000_000_000L)).isEqualTo(5_000_000_000L);
  }

  @Test
  void aSourceThatCannotBeDeletedIsNamed() throws IOException {
    store.failAlways(Operation.DELETE_ALL, Kind.SERVER_ERROR);
    assertThatThrownBy(() -> changes.renameDirectory("a", "b"))
        .hasMessageContaining("s3://lake/b/ is complete")
        .hasMessageContaining("s3://lake/a/");
    assertThat(keys()).contains("b/1", "b/2", "b/3");
  }
}
