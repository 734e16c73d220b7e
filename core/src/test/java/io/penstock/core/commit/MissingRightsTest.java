/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** Jobs of a writer that may not delete, or may not write {@code _SUCCESS}. */
class MissingRightsTest {
  private final CommitWorld world = new CommitWorld();
  private final List<Operation> asked = new ArrayList<>();

  private StoreWrapper without(BiPredicate<Operation, String> right) {
    return new StoreWrapper(world.store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        asked.add(operation);
        if (right.test(operation, key)) {
          throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "scripted.");
        }
        assertThat(asked).as("requests of one job").hasSizeLessThan(200);
        return call.run();
      }
    };
  }

  @Test
  void theIntentsOfFormerJobsStayAndStopNoJob() throws IOException {
    StoreWrapper store =
        without(
            (operation, key) -> Set.of(Operation.DELETE, Operation.DELETE_ALL).contains(operation));
    for (String job : List.of("one", "two", "three")) {
      asked.clear();
      world.commit(store, job).commit(world.upload(job, "t/part-" + job), SuccessMarker.NONE);
    }
    assertThat(world.visible()).containsOnlyKeys("t/part-one", "t/part-two", "t/part-three");
    assertThat(world.intentObjects()).isNotEmpty();

    // A job that may delete removes them.
    world.commit(world.store, "four").commit(world.upload("four", "t/part-4"), SuccessMarker.NONE);
    assertThat(world.visible()).hasSize(4);
    // The decisions stay for a day, since their jobs may be alive.
    assertThat(world.intentObjects()).allMatch(key -> key.endsWith(".decision"));
  }

  @Test
  void aTableWithoutMarkerIsNotLocked() throws IOException {
    StoreWrapper store =
        without((operation, key) -> operation == Operation.PUT && key.equals("t/_SUCCESS"));
    for (String job : List.of("one", "two")) {
      asked.clear();
      JobCommit commit = world.commit(store, job);
      commit.replace("lake", "t/");
      long startNanos = world.time.nowNanos();
      commit.commit(world.upload(job, "t/part-" + job), SuccessMarker.JSON);
      assertThat(world.time.nowNanos()).isEqualTo(startNanos);
      assertThat(world.visible()).containsOnlyKeys("t/part-" + job);
      assertThat(world.intentObjects()).isEmpty();
    }
    assertThat(world.hasMarker()).isFalse();
  }
}
