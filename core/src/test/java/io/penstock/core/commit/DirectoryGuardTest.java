/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.CommitConfig.Direction;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A directory of more objects than one page is listed while jobs append to it all the time. */
class DirectoryGuardTest {
  private final CommitWorld world = new CommitWorld();
  private int jobs;
  private int waiting;

  @Test
  void noAppendIsListedInPartHoweverManyThereAre() throws IOException {
    for (int i = 0; i < ListRequest.MAX_KEYS; i++) {
      world.put("t/old-%04d".formatted(i), "old");
    }
    DirectoryGuard guard =
        new DirectoryGuard(
            world.means(world.store, Direction.AUTO, CommitWorld.NO_LEASES),
            started -> world.job("guard"));

    List<ObjectMeta> found = guard.list("lake", "t/", this::list, object -> object);

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
