/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Overwrites of a path that is one object, on stores that keep keys as files. */
class OneObjectPathTest {
  private final CommitWorld world = new CommitWorld();

  /** Stores nothing below the object, as versitygw does. */
  private final class Refusing extends StoreWrapper {
    private final Kind kind;

    Refusing(Kind kind) {
      super(world.store);
      this.kind = kind;
    }

    @Override
    protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
        throws IOException {
      if (operation == Operation.PUT && key.startsWith("t/") && isThere()) {
        throw StoreException.of(kind, operation, key, "scripted.");
      }
      return call.run();
    }
  }

  /** Lists nothing below the object, as MinIO does. */
  private final class Hiding extends StoreWrapper {
    Hiding() {
      super(world.store);
    }

    @Override
    @SuppressWarnings("unchecked") // Only a listing is answered here.
    protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
        throws IOException {
      return operation == Operation.LIST && key.startsWith("t/") && isThere()
          ? (T) new ListPage(List.of(), List.of(), Optional.empty())
          : call.run();
    }
  }

  private boolean isThere() throws IOException {
    return world.visible().containsKey("t");
  }

  private JobCommit overwrite(StoreWrapper store) throws IOException {
    JobCommit commit = world.commit(store, "job");
    commit.replace(world.store.bucket(), "t/");
    commit.replace(world.store.bucket(), "t");
    return commit;
  }

  @BeforeEach
  void putTheObject() throws IOException {
    world.put("t", "old");
  }

  @Test
  void theOverwriteReplacesTheObject() throws IOException {
    for (StoreWrapper store : List.of(new Refusing(Kind.PARENT_IS_OBJECT), new Hiding())) {
      overwrite(store).commit(world.upload("job", "t/part-0"), SuccessMarker.NONE);
      assertThat(world.visible()).containsOnlyKeys("t/part-0");
      world.put("t", "old");
    }
  }

  @Test
  void theObjectStaysWhereTheIntentIsRefusedForAnotherReason() throws IOException {
    JobCommit commit = overwrite(new Refusing(Kind.INVALID_REQUEST));
    assertThatThrownBy(() -> commit.commit(world.upload("job", "t/part-0"), SuccessMarker.NONE))
        .isInstanceOf(StoreException.class);
    assertThat(world.visible()).containsOnlyKeys("t");
  }

  @Test
  void theObjectStaysWhereTheJobDoesNotReplaceIt() throws IOException {
    JobCommit commit = world.commit(new Refusing(Kind.PARENT_IS_OBJECT), "job");
    commit.replace(world.store.bucket(), "t/");
    assertThatThrownBy(() -> commit.commit(world.upload("job", "t/part-0"), SuccessMarker.NONE))
        .isInstanceOf(StoreException.class);
    assertThat(world.visible()).containsOnlyKeys("t");
  }
}
