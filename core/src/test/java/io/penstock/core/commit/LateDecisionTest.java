/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job pauses in its last completion, and wakes up while another process rolls it back. Its
 * decision arrives when the roll-back has ended, so only a look for the intent after it tells. A
 * look beside the decision was tried, and lost the rows of an append.
 */
class LateDecisionTest {
  private final CommitWorld world = new CommitWorld();
  private boolean isPaused;
  private boolean isRolledBack;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobThatSucceedsHasItsRows(boolean replaces) throws IOException {
    world.put("t/a", "old");
    StoreWrapper seen =
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (operation == Operation.PUT && key.endsWith("decision") && !isRolledBack) {
              isRolledBack = true;
              world.recover(world.store, Direction.BACK);
            }
            T answer = call.run();
            if (operation == Operation.COMPLETE_UPLOAD && key.equals("t/e-job") && !isPaused) {
              isPaused = true;
              world.time.advance(Duration.ofMinutes(20));
            }
            return answer;
          }
        };
    JobCommit commit = world.commit(seen, "job");
    if (replaces) {
      commit.replace("lake", "t/");
    }
    List<TaskFile> files = world.upload("job", "t/d-job", "t/e-job");
    boolean hasSucceeded = true;
    try {
      commit.commit(files, SuccessMarker.JSON);
    } catch (IOException e) {
      hasSucceeded = false;
    }
    assertThat(isRolledBack).isTrue();
    List<String> all = List.copyOf(world.visible().keySet());
    assertThat(all.containsAll(List.of("t/d-job", "t/e-job"))).isEqualTo(hasSucceeded);
  }
}
