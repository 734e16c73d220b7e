/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static io.penstock.s3.GuardedLake.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Failures that no server causes: a key too long, a body that cannot be read, a closed store. */
class CallerFailureTest {
  @AutoClose private final GuardedLake lake = new GuardedLake();

  @Test
  void aKeyOf1024BytesWorksAndALongerOneIsRefusedAtOnce() throws IOException {
    String longest = "k".repeat(1024);
    try (ObjectStore store = lake.open("lake", Map.of())) {
      put(store, longest);
      assertThat(store.head(longest).sizeBytes()).isEqualTo(7);
      lake.server.resetCounts();
      StoreException e =
          catchThrowableOfType(StoreException.class, () -> put(store, longest + "ü"));
      assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
      assertThat(lake.server.counts().total()).isZero();
    }
  }

  @Test
  void aBodyThatCannotBeReadIsNotTheStoresFailure() {
    Body broken =
        new Body() {
          @Override
          public long sizeBytes() {
            return 10;
          }

          @Override
          public InputStream open() throws IOException {
            throw new java.nio.file.NoSuchFileException("/spill/block-7");
          }
        };
    try (ObjectStore store = lake.open("lake", Map.of())) {
      assertThatThrownBy(() -> store.put("key", broken, Condition.NONE))
          .isNotInstanceOf(StoreException.class)
          .hasMessageContaining("s3://lake/key")
          .hasRootCauseMessage("/spill/block-7");
    }
  }

  @Test
  void aClosedStoreRefuses() {
    ObjectStore store = lake.open("lake", Map.of());
    store.close();
    store.close();
    assertThatThrownBy(() -> store.head("key")).hasMessageContaining("closed");
  }
}
