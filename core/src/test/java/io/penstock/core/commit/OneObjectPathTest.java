/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.parts.PendingUpload;
import java.io.IOException;
import java.time.Duration;
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

  @Test
  void aDeadOverwriteWhoseUploadIsBelowAnObjectIsUndone() throws IOException {
    world.put("t/p=1", "old");
    CrashingStore dying = new CrashingStore(world.front, firstComplete(), false);
    JobCommit dead = world.commit(dying, "dead");
    dead.replace("lake", "t/");
    assertThatThrownBy(
        () -> dead.commit(world.upload("dead", "t/p=1/part-dead"), SuccessMarker.NONE));
    assertThat(world.intentObjects()).isNotEmpty();

    world.time.advance(Duration.ofMinutes(5));
    StoreWrapper asFiles =
        new StoreWrapper(world.store) {
          @Override
          public String completeUpload(PendingUpload pending, Condition condition)
              throws IOException {
            if (pending.key().startsWith("t/p=1/")) {
              throw StoreException.of(
                  Kind.PARENT_IS_OBJECT, Operation.COMPLETE_UPLOAD, pending.key(), "scripted.");
            }
            return inner.completeUpload(pending, condition);
          }
        };
    JobCommit next = world.commit(asFiles, "next");
    next.replace("lake", "t/");
    next.commit(world.upload("next", "t/p=2/part-next"), SuccessMarker.NONE);
    assertThat(world.visible()).containsOnlyKeys("t", "t/p=2/part-next");
  }

  /** Returns the number of the request that makes the first file of an overwrite visible. */
  private static int firstComplete() throws IOException {
    CommitWorld other = new CommitWorld();
    other.put("t/p=1", "old");
    CrashingStore seen = new CrashingStore(other.front, 0, false);
    JobCommit commit = other.commit(seen, "dead");
    commit.replace("lake", "t/");
    commit.commit(other.upload("dead", "t/p=1/part-dead"), SuccessMarker.NONE);
    List<String> log = seen.log();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i).startsWith("COMPLETE_UPLOAD")) {
        return i + 1;
      }
    }
    throw new IllegalStateException("nothing was completed: " + log);
  }
}
