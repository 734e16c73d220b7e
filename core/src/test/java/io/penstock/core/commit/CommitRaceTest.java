/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.parts.PendingUpload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Jobs that commit while others are at work at the same table. */
class CommitRaceTest {
  private final CommitWorld world = new CommitWorld();

  /**
   * A commit that stops for five minutes before it completes the key; then others have ended it.
   */
  private JobCommit sleepingAt(String key, Direction direction, List<Direction> ends)
      throws IOException {
    return world.commit(
        new StoreWrapper(world.store) {
          @Override
          public String completeUpload(PendingUpload pending, Condition condition)
              throws IOException {
            if (pending.key().equals(key)) {
              world.time.advance(Duration.ofMinutes(5));
              world.recover(world.store, direction);
              ends.add(direction);
            }
            return super.completeUpload(pending, condition);
          }
        },
        "job");
  }

  @Test
  void aCommitThatSomebodyElseHasFinishedIsASuccess() throws IOException {
    List<TaskFile> uploads = world.upload("job", "t/d-job", "t/e-job");
    world.put("t/a", "old");
    // The process stops for long before its last completion.
    List<Direction> ends = new ArrayList<>();
    JobCommit sleeping = sleepingAt("t/e-job", Direction.FORWARD, ends);
    sleeping.replace("lake", "t/");

    sleeping.commit(uploads, SuccessMarker.JSON, OptionalLong.of(5));

    assertThat(world.marker()).contains("\"files\":2", "\"rows\":5").doesNotContain("requests");
    assertThat(ends).containsExactly(Direction.FORWARD);
    assertThat(world.visible()).isEqualTo(Map.of("t/d-job", "job", "t/e-job", "job"));
    assertThat(world.hasMarker()).isTrue();
  }

  @Test
  void aJobThatWasTakenForDeadAndUndoneFailsAndTouchesNothingMore() throws IOException {
    world.put("t/a", "old");
    List<TaskFile> uploads = world.upload("job", "t/d-job", "t/e-job");
    JobCommit sleeping = sleepingAt("t/e-job", Direction.BACK, new ArrayList<>());
    sleeping.replace("lake", "t/");

    assertThatThrownBy(() -> sleeping.commit(uploads, SuccessMarker.JSON))
        .hasMessageContaining("another process considered this job dead");

    assertThat(world.visible()).isEqualTo(Map.of("t/a", "old"));
  }

  @Test
  void aJobWhoseDirectoryIsDeletedWhileItCommitsSaysSoAndLeavesNothing() throws IOException {
    List<TaskFile> uploads = world.upload("job", "t/d-job", "t/e-job");
    StoreWrapper deleting =
        new StoreWrapper(world.store) {
          @Override
          public String completeUpload(PendingUpload pending, Condition condition)
              throws IOException {
            String etag = super.completeUpload(pending, condition);
            world.store.deleteAll(
                world.store.list(ListRequest.flat("t/")).objects().stream()
                    .map(ObjectMeta::key)
                    .toList());
            return etag;
          }
        };

    assertThatThrownBy(() -> world.commit(deleting, "job").commit(uploads, SuccessMarker.JSON))
        .hasMessageContaining("the directory was deleted or renamed while this job committed");

    assertThat(world.visible()).isEmpty();
  }

  @Test
  void twoAppendsThatSeeEachOtherDoNotWaitForEachOther() throws IOException {
    // The other one is decided while this one commits, and lives on: it waits for this one too.
    List<TaskFile> uploads = world.upload("job", "t/d-job");
    CommittingJob other = world.job("other");
    IntentFiles files = world.intents(world.store);
    Intent beside =
        new Intent(
            other,
            0,
            false,
            "t/_SUCCESS",
            SuccessMarker.JSON,
            OptionalLong.empty(),
            world.upload("other", "t/x-other"));
    files.put(beside);
    StoreWrapper deciding =
        new StoreWrapper(world.store) {
          @Override
          public String completeUpload(PendingUpload pending, Condition condition)
              throws IOException {
            files.decide(beside.id(), Decision.FORWARD);
            return super.completeUpload(pending, condition);
          }
        };

    world.commit(deciding, "job").commit(uploads, SuccessMarker.JSON);

    assertThat(world.time.nowNanos()).isZero();
    assertThat(world.hasMarker()).isTrue();
  }

  @Test
  void aCopyOfATableThatBroughtAnIntentAlongTouchesNothingOfTheOriginal() throws IOException {
    List<TaskFile> uploads = world.upload("job", "t/d-job", "t/e-job");
    Intent left =
        new Intent(
            world.job("job"),
            0,
            true,
            "t/_SUCCESS",
            SuccessMarker.JSON,
            OptionalLong.empty(),
            uploads);
    IntentFiles original = world.intents(world.store);
    original.put(left);
    IntentFiles copy =
        new IntentFiles(bucket -> world.store, new OutputTable("lake", "u/"), Runnable::run);
    String name = "_penstock_intent_" + left.id() + ".alone";
    world.store.copy("t/" + name, "u/" + name, Optional.empty());
    world.time.advance(Duration.ofMinutes(5));

    JobCommit next = world.commit(bucket -> world.store, Output.of("lake", "u"), "next");
    next.commit(world.upload("next", "u/x-next"), SuccessMarker.JSON);

    assertThat(copy.list().intents()).isEmpty();
    assertThat(original.list().intents()).hasSize(1);
    assertThat(world.pending()).hasSize(2);
  }

  @Test
  void aSlowPutOfAnIntentMakesNobodyElseLookDead() throws IOException {
    // It takes two minutes, while another job begins to commit.
    Intent other =
        new Intent(
            world.job("other"),
            0,
            false,
            "t/_SUCCESS",
            SuccessMarker.JSON,
            OptionalLong.empty(),
            world.upload("other", "t/x-other"));
    StoreWrapper slow =
        new StoreWrapper(world.store) {
          @Override
          public String put(String key, Body body, Condition condition) throws IOException {
            if (key.endsWith("job.append")) {
              world.time.advance(Duration.ofMinutes(2));
              world.intents(world.store).put(other);
            }
            return super.put(key, body, condition);
          }

          @Override
          public String completeUpload(PendingUpload pending, Condition condition)
              throws IOException {
            world.intents(world.store).decide(other.id(), Decision.FORWARD);
            return super.completeUpload(pending, condition);
          }
        };

    world.commit(slow, "job").commit(world.upload("job", "t/d-job"), SuccessMarker.JSON);

    assertThat(world.intents(world.store).list().intents()).containsOnlyKeys(other.id());
    assertThat(world.pending()).hasSize(1);
  }
}
