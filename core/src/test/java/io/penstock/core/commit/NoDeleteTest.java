/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of a writer that may not delete. */
class NoDeleteTest {
  private final CommitWorld world = new CommitWorld();
  private final List<Operation> asked = new ArrayList<>();

  private final StoreWrapper store =
      new StoreWrapper(world.store) {
        @Override
        protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
            throws IOException {
          asked.add(operation);
          if (operation == Operation.DELETE || operation == Operation.DELETE_ALL) {
            throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "scripted.");
          }
          assertThat(asked).as("requests of one job").hasSizeLessThan(200);
          return call.run();
        }
      };

  @Test
  void theIntentsOfFormerJobsStayAndStopNoJob() throws IOException {
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
}
