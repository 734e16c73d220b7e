/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory of more objects than one page is listed while jobs append to it all the time. */
class DirectoryGuardTest {
  private final CommitWorld world = new CommitWorld();
  private int jobs;
  private int waiting;

  @ParameterizedTest
  @ValueSource(strings = {"t/", ""})
  void noAppendIsListedInPartHoweverManyThereAre(String prefix) throws IOException {
    for (int i = 0; i < ListRequest.MAX_KEYS; i++) {
      world.put("t/old-%04d".formatted(i), "old");
    }

    List<ObjectMeta> found = guard().list("lake", prefix, this::list, object -> object);

    List<String> keys = found.stream().map(ObjectMeta::key).toList();
    assertThat(jobs).isGreaterThan(1);
    assertThat(waiting).isPositive();
    for (int i = 0; i < jobs; i++) {
      assertThat(keys).contains("t/a-job" + i, "t/z-job" + i);
    }
    assertThat(keys).noneMatch(IntentNames::isOne);
    assertThat(Keys.under(world.store, "t/"))
        .extracting(ObjectMeta::key)
        .noneMatch(IntentNames::isOne);
  }

  @Test
  void anAppendToTheTableIsNotListedInPartForAPartition() throws IOException {
    world.put("t/p=1/sub/old", "old");
    world.commit(world.store, "x").commit(world.upload("x", "t/p=1/x"), SuccessMarker.NONE);
    world.put("t/p=1/sub/_penstock_intent_20260101T000000000Z_x.settling", "");

    List<ObjectMeta> found = guard().list("lake", "t/p=1/", this::list, object -> object);

    List<String> keys = found.stream().map(ObjectMeta::key).toList();
    for (int i = 0; i < jobs; i++) {
      assertThat(keys.contains("t/a-job" + i)).isEqualTo(keys.contains("t/z-job" + i));
    }
  }

  @Test
  void whatEndedCommitsHaveLeftIsListedToo() throws IOException {
    world.put("t/old", "old");
    String decision = "t/_penstock_intent_20251201T000000000Z_gone.decision";
    world.put(decision, "ENDED_FORWARD");
    world.put("t/_penstock_intent_20260101T000000000Z_x.settling", "");

    List<ObjectMeta> found =
        guard()
            .list(
                "lake",
                "t/",
                action -> Keys.under(world.store, "t/").forEach(action),
                object -> object);

    assertThat(found).extracting(ObjectMeta::key).contains(decision, "t/old");
  }

  @Test
  void aDirectoryThatChangesIsListedWithoutTheRightToPut() throws IOException {
    for (int i = 0; i < ListRequest.MAX_KEYS; i++) {
      world.put("t/old-%04d".formatted(i), "old");
    }
    StoreWrapper noPut =
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (operation == Operation.PUT) {
              throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "scripted.");
            }
            return call.run();
          }
        };
    DirectoryGuard guard =
        new DirectoryGuard(
            world.means(noPut, Direction.AUTO, CommitWorld.NO_LEASES),
            started -> world.job("guard"));

    List<ObjectMeta> found = guard.list("lake", "t/", this::listWithLogs, object -> object);

    assertThat(found).hasSizeGreaterThan(ListRequest.MAX_KEYS);
  }

  private void listWithLogs(Consumer<ObjectMeta> action) throws IOException {
    world.put("t/log-" + jobs++, "log");
    Keys.under(world.store, "t/").forEach(action);
  }

  private DirectoryGuard guard() {
    return new DirectoryGuard(
        world.means(world.store, Direction.AUTO, CommitWorld.NO_LEASES),
        started -> world.job("guard"));
  }

  /** Lists in two pages, between which a job appends a file to each. */
  private void list(Consumer<ObjectMeta> action) throws IOException {
    List<ObjectMeta> first = page(true);
    boolean isHeld = first.stream().anyMatch(object -> IntentNames.isHead(object.key()));
    if (isHeld) {
      waiting++; // As each job would.
    } else {
      append("job" + jobs++);
    }
    first.forEach(action);
    page(false).forEach(action);
  }

  private List<ObjectMeta> page(boolean isFirst) throws IOException {
    List<ObjectMeta> page = new ArrayList<>();
    for (ObjectMeta object : Keys.under(world.store, "t/")) {
      if (object.key().compareTo("t/m") < 0 == isFirst) {
        page.add(object);
      }
    }
    return page;
  }

  private void append(String job) throws IOException {
    world
        .commit(world.store, job)
        .commit(world.upload(job, "t/a-" + job, "t/z-" + job), SuccessMarker.NONE);
  }
}
