/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.history.CommitToUndo;
import io.penstock.core.commit.history.CommitUndoing.RefusedException;
import io.penstock.core.commit.history.PastCommit.End;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.commit.view.CommittedView;
import io.penstock.core.commit.view.CommittedView.Listed;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.versions.ObjectVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Others work on a table, or wake up, while a commit is taken back or after that. */
class UndoAmongOthersTest extends UndoScene {

  /** The driver dies when it deletes the old objects. */
  private void badDiesAfterItsDecision() throws IOException {
    StoreWrapper dying = dying();
    JobCommit commit = world.commit(dying, "bad");
    commit.replace("lake", "t/");
    assertThatThrownBy(() -> commit.commit(world.upload("bad", "t/p=1/bad"), SuccessMarker.JSON))
        .hasStackTraceContaining("dead");
    world.time.advance(Duration.ofMinutes(20));
  }

  /** The removal of the markers gets no answer, and takes effect after the roll-back. */
  @Test
  void aRestorationThatComesLateRestoresNothing() throws IOException {
    badOverwrite();
    Map<String, String> bad = world.visible();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    List<Event> late = new ArrayList<>();
    StoreWrapper seen =
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (op == Operation.DELETE_ALL && key.contains("/good") && late.isEmpty()) {
              late.add(call::run);
              throw StoreException.of(Kind.CONNECTION_LOST, op, key, "no answer");
            }
            return call.run();
          }
        };
    assertThatThrownBy(() -> run(seen, plan)).isInstanceOf(IOException.class);
    assertThat(world.visible()).isEqualTo(bad);
    assertThat(world.intentObjects()).isEmpty();
    var unused = late.get(0).run();
    assertThat(world.visible()).isEqualTo(bad);
  }

  /** The undo dies with this request under way, and another process rolls it back first. */
  @Test
  void aRestorationOfADeadUndoThatComesLateRestoresNothing() throws IOException {
    badOverwrite();
    Map<String, String> bad = world.visible();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    List<Event> late = new ArrayList<>();
    StoreWrapper dying =
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (op == Operation.DELETE_ALL && key.contains("/good") && late.isEmpty()) {
              late.add(call::run);
            }
            if (!late.isEmpty()) {
              throw StoreException.of(Kind.CONNECTION_LOST, op, key, "dead");
            }
            return call.run();
          }
        };
    assertThatThrownBy(() -> run(dying, plan)).isInstanceOf(IOException.class);
    world.time.advance(Duration.ofMinutes(20));
    world.recover(world.store, Direction.BACK);
    assertThat(world.visible()).isEqualTo(bad);
    var unused = late.get(0).run();
    assertThat(world.visible()).isEqualTo(bad);
    assertThat(world.intentObjects()).isEmpty();
  }

  /** An undo that is taken for dead before it has written down what it replaces. */
  @Test
  void anUndoThatWasUndoneBeforeItsListRestoresNothing() throws IOException {
    badOverwrite();
    world.store.delete("t/_SUCCESS");
    Map<String, String> bad = world.visible();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    Before sleeping =
        new Before(
            world.store,
            Operation.PUT,
            ".replaces",
            () -> {
              world.time.advance(Duration.ofMinutes(20));
              world.recover(world.store, Direction.AUTO);
              assertThat(world.visible()).isEqualTo(bad);
              assertThat(world.intentObjects()).isEmpty();
              return null;
            });
    assertThatThrownBy(() -> run(sleeping, plan)).isInstanceOf(IOException.class);
    assertThat(sleeping.isOver).isTrue();
    assertThat(world.visible()).isEqualTo(bad);
  }

  /** As by hadoop fs -rm -r t/p=1 (or DROP PARTITION) between the plan and the run. */
  @Test
  void whatIsDeletedAfterThePlanIsNotRestored() throws IOException {
    badOverwrite();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    world.time.advance(Duration.ofMinutes(1));
    Keys.deleteAll(
        world.store,
        Keys.under(world.store, "t/p=1/").stream().map(ObjectMeta::key).toList(),
        Runnable::run);
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> run(world.store, plan)).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  /** A key is written by somebody else between the plan and the run. */
  @Test
  void whatIsWrittenAfterThePlanIsNotDeleted() throws IOException {
    badOverwrite();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    world.put("t/p=2/good", "somebody else's");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> run(world.store, plan)).isInstanceOf(IOException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  @Test
  void aLaterAppendToAPartitionDoesNotStandInTheWay() throws IOException {
    Output partition = Output.of("lake", "t/p=1");
    commit(world.commit(b -> world.store, partition, "good"), "good", List.of(), "t/p=1/good");
    commit("bad", TABLE, "t/p=1/bad");
    commit(world.commit(b -> world.store, partition, "later"), "later", List.of(), "t/p=1/later");
    undo("bad");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/good", "t/p=1/later");
  }

  /** An empty overwrite, then an overwrite with other partitions. */
  @Test
  void aLaterOverwriteOfTheTableIsSeenThoughItFoundNothing() throws IOException {
    commit("good", TABLE, "t/p=1/good", "t/p=2/good");
    commit("empty", TABLE);
    commit("next", TABLE, "t/p=3/next");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("empty")).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  /** The same with --unchanged-only. */
  @Test
  void whatALaterOverwriteOfTheTableLeftEmptyIsSpared() throws IOException {
    badOverwrite();
    commit("next", TABLE, "t/p=1/next");
    CommitToUndo plan = undoing(world.store).plan(past("bad"), true);
    run(world.store, plan);
    assertThat(world.visible()).containsOnlyKeys("t/p=1/next");
  }

  @Test
  void aCommitWithANameThatWasTakenBackCanBeRunAgain() throws IOException {
    commit("good", TABLE, "t/p=1/good");
    JobCommit commit = world.commit(world.store, "bad");
    commit.name(CommitId.ofUser("day-1"));
    commit(commit, "bad", List.of(), "t/p=2/bad");
    undo("bad");
    JobCommit again = world.commit(world.store, "fixed");
    again.name(CommitId.ofUser("day-1"));
    commit(again, "fixed", List.of(), "t/p=2/fixed");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/good", "t/p=2/fixed");
  }

  /** A table in the table. */
  @Test
  void anOverwriteOfATableInTheTableIsSeen() throws IOException {
    Output inner = Output.of("lake", "t/inner");
    commit(world.commit(b -> world.store, inner, "old"), "old", List.of(), "t/inner/old");
    commit("bad", TABLE, "t/bad");
    commit(world.commit(b -> world.store, inner, "new"), "new", List.of("t/inner/"), "t/inner/new");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("bad")).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  /** A decision that comes too late, in the same second of the store. */
  @Test
  void aDecisionThatCameTooLateDoesNotCount() throws IOException {
    badOverwrite();
    world.time.advance(Duration.ofMinutes(1));
    JobCommit commit = world.commit(world.store, "next");
    commit.replace("lake", "t/p=2/");
    commit.commit(world.upload("next", "t/p=2/next"), SuccessMarker.JSON);
    String id = past("next").id();
    world.intents(world.store).decide(id, Decision.BACK);
    world.intents(world.store).removeDecision(id);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(past("next").end()).isEqualTo(End.DONE);
    assertThatThrownBy(() -> undo("bad")).isInstanceOf(RefusedException.class);
  }

  @Test
  void twoOverwritesAreTakenBack() throws IOException {
    Map<String, String> good = badOverwrite();
    commit("worse", TABLE, "t/p=1/worse");
    undo("worse");
    undo("bad");
    assertThat(world.visible()).isEqualTo(good);
  }

  /** A driver whose clock is slow. */
  @Test
  void anOverwriteByADriverWhoseClockIsSlowIsSeen() throws IOException {
    badOverwrite();
    JobCommit slow =
        new JobCommit(
            world.means(world.store, Direction.AUTO, CommitWorld.NO_LEASES),
            Output.of("lake", "t"),
            started ->
                new CommittingJob(
                    "slow", "app", "user", "host", 1, world.time.now().minus(Duration.ofHours(2))));
    commit(slow, "slow", List.of("t/p=2/"), "t/p=2/slow");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("bad")).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  /** A lifecycle rule has removed the decision first, or versioning was suspended. */
  @Test
  void aCommitOfWhichOnlyAPartIsKnownIsNotForgotten() throws IOException {
    badOverwrite();
    commit("fix", List.of("t/p=2/"), "t/p=2/fix");
    for (ObjectVersion version :
        world.store.listVersions(ListRequest.flat("t/_penstock_intent_")).versions()) {
      if (version.key().endsWith("_fix.decision") && !version.isMarker()) {
        world.store.deleteVersions(Map.of(version.key(), version.versionId()));
      }
    }
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("bad")).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  /** A directory object that somebody makes again. */
  @Test
  void aDirectoryObjectDoesNotStandInTheWay() throws IOException {
    world.store.put("t/", Body.empty(), Condition.NONE);
    commit("good", List.of(), "t/good");
    commit("bad", TABLE, "t/bad");
    world.store.put("t/", Body.empty(), Condition.NONE);
    undo("bad");
    assertThat(Keys.under(world.store, "t/"))
        .extracting(ObjectMeta::key)
        .contains("t/good")
        .doesNotContain("t/bad");
  }

  private Set<String> reader(CommittedView view, String prefix) throws IOException {
    Set<String> keys = new TreeSet<>();
    view
        .list(
            prefix,
            () -> {
              List<ObjectMeta> page = Keys.under(world.store, prefix);
              return Optional.of(new Listed(page, page, true, false));
            })
        .orElseThrow()
        .stream()
        .map(ObjectMeta::key)
        .filter(key -> !key.substring(key.lastIndexOf('/') + 1).startsWith("_"))
        .forEach(keys::add);
    return keys;
  }

  private Set<String> seenDuring(String prefix, boolean hasMarker) throws IOException {
    badOverwrite();
    if (!hasMarker) {
      world.store.delete("t/_SUCCESS");
    }
    world.time.advance(Duration.ofHours(2));
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    CommittedView old = new CommittedView(world.store, Runnable::run, world.time);
    Set<String> seen = new TreeSet<>();
    StoreWrapper watched =
        new StoreWrapper(world.store) {
          @Override
          protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
              throws IOException {
            seen.add(reader(old, prefix).toString());
            CommittedView fresh = new CommittedView(world.store, Runnable::run, world.time);
            seen.add(reader(fresh, prefix).toString());
            return call.run();
          }
        };
    run(watched, plan);
    seen.add(reader(old, prefix).toString());
    return seen;
  }

  @Test
  void readersWithoutMarker() throws IOException {
    assertThat(seenDuring("t/", false)).hasSize(2);
  }

  @Test
  void readersOfAPartition() throws IOException {
    assertThat(seenDuring("t/p=1/", true)).hasSize(2);
  }

  @Test
  void readersOfAPartitionWithoutMarker() throws IOException {
    assertThat(seenDuring("t/p=1/", false)).hasSize(2);
  }

  /** A key that is to be replaced and never had an object. */
  @Test
  void anOutputThatMightHaveBeenAFileIsTakenBack() throws IOException {
    commit("good", TABLE, "t/good");
    commit("bad", List.of("t/", "t"), "t/bad");
    undo("bad");
    assertThat(world.visible()).containsOnlyKeys("t/good");
  }

  /** Another job appends while the undo waits. */
  @Test
  void anAppendBetweenPlanAndRunDoesNoHarm() throws IOException {
    badOverwrite();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    commit("append", List.of(), "t/p=9/append");
    run(world.store, plan);
    assertThat(world.visible()).containsOnlyKeys("t/p=1/good", "t/p=2/good", "t/p=9/append");
  }

  /** An ordinary job, which may not delete versions, meets a dead undo. */
  @Test
  void aJobThatMayNotDeleteVersionsIsNotLockedOut() throws IOException {
    Map<String, String> good = badOverwrite();
    Map<String, String> bad = world.visible();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    StoreWrapper dying = dying();
    assertThatThrownBy(() -> run(dying, plan)).isInstanceOf(IOException.class);
    world.time.advance(Duration.ofMinutes(20));
    StoreWrapper ordinary =
        new StoreWrapper(world.store) {
          @Override
          public Map<String, StoreException> deleteVersions(Map<String, String> versions) {
            Map<String, StoreException> failed = new java.util.HashMap<>();
            versions
                .keySet()
                .forEach(
                    key ->
                        failed.put(
                            key,
                            StoreException.of(
                                Kind.ACCESS_DENIED, Operation.DELETE_ALL, key, "denied")));
            return failed;
          }
        };
    for (String job : List.of("next1", "next2")) {
      try {
        commit(world.commit(ordinary, job), job, List.of(), "t/p=9/" + job);
      } catch (IOException e) {
        world.time.advance(Duration.ofHours(2));
      }
    }
    assertThat(world.visible()).containsKeys("t/p=9/next1", "t/p=9/next2");
    assertThat(good).isNotEqualTo(bad);
  }

  /** In a bucket that keeps versions now, a null version outlives its deletion. */
  @Test
  void anUndoThatRestoredANullVersionIsTakenBack() throws IOException {
    world = new CommitWorld();
    commit("one", TABLE, "t/p=1/one");
    world.store.keepVersions();
    commit("two", TABLE, "t/p=1/two");
    undo("two");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/one");
    undo("x1.undo.two");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/two");
  }

  /** The commit is decided, and its driver has died half-way through its deletions. */
  @Test
  void aCommitThatHasNotEndedIsNotTakenBackInPart() throws IOException {
    commit("good", TABLE, "t/p=1/good", "t/p=2/good");
    badDiesAfterItsDecision();
    world.store.delete("t/p=1/good"); // the half that it has deleted
    assertThatThrownBy(() -> undoing(world.store).plan(past("bad"), false))
        .hasMessageContaining("has not ended");
    assertThatThrownBy(() -> undoing(world.store).plan(past("bad"), true))
        .hasMessageContaining("has not ended");
  }

  /** Stands still after a request has been answered, but not within a deletion. */
  private final class Standing extends StoreWrapper {
    private final int at;
    private final Event event;
    private int count;
    private String stoodAfter = "";

    Standing(ObjectStore inner, int at, Event event) {
      super(inner);
      this.at = at;
      this.event = event;
    }

    @Override
    protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
        throws IOException {
      T answer = call.run();
      boolean isDeletion = op == Operation.DELETE_ALL && key.contains("/good");
      if (++count == at) {
        stoodAfter = isDeletion ? "-" : op + " " + key;
        if (!isDeletion) {
          var unused = event.run();
        }
      }
      return answer;
    }
  }

  @Test
  void recoveringProcessStandsAfterAnyRequest() throws IOException {
    List<String> lost = new ArrayList<>();
    for (int at = 1; ; at++) {
      aBucketWithVersions();
      undos = 0;
      commit("good", TABLE, "t/p=1/good", "t/p=2/good");
      Map<String, String> good = world.visible();
      badDiesAfterItsDecision();
      Standing standing =
          new Standing(
              world.store,
              at,
              () -> {
                world.time.advance(Duration.ofMinutes(20));
                world.recover(world.store, Direction.AUTO);
                world.time.advance(Duration.ofMinutes(20));
                undo("bad");
                assertThat(world.visible()).isEqualTo(good);
                return null;
              });
      try {
        world.recover(standing, Direction.AUTO);
      } catch (IOException e) {
        assertThat(standing.stoodAfter).isNotEmpty();
      }
      if (standing.stoodAfter.isEmpty()) {
        break;
      }
      if (!standing.stoodAfter.equals("-") && !world.visible().equals(good)) {
        lost.add(at + " after " + standing.stoodAfter + ": " + world.visible());
      }
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void rollBackOfADeadUndoStandsAfterAnyRequest() throws IOException {
    List<String> lost = new ArrayList<>();
    for (int at = 1; ; at++) {
      aBucketWithVersions();
      undos = 0;
      Map<String, String> good = badOverwrite();
      CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
      StoreWrapper dying = dying();
      assertThatThrownBy(() -> run(dying, plan)).isInstanceOf(IOException.class);
      world.time.advance(Duration.ofMinutes(20));
      Standing standing =
          new Standing(
              world.store,
              at,
              () -> {
                world.time.advance(Duration.ofMinutes(20));
                world.recover(world.store, Direction.BACK);
                if (past("bad").end() == End.DONE && world.visible().containsKey("t/p=1/bad")) {
                  undo("bad");
                }
                assertThat(world.visible()).isEqualTo(good);
                return null;
              });
      try {
        world.recover(standing, Direction.BACK);
      } catch (IOException e) {
        assertThat(standing.stoodAfter).isNotEmpty();
      }
      if (standing.stoodAfter.isEmpty()) {
        break;
      }
      if (!standing.stoodAfter.equals("-") && !world.visible().equals(good)) {
        lost.add(at + " after " + standing.stoodAfter + ": " + world.visible());
      }
    }
    assertThat(lost).isEmpty();
  }

  /** The undo itself fails, and stands after any request of its roll-back. */
  @Test
  void rollBackOfAnUndoStandsAfterAnyRequest() throws IOException {
    List<String> lost = new ArrayList<>();
    for (int at = 1; ; at++) {
      aBucketWithVersions();
      undos = 0;
      Map<String, String> good = badOverwrite();
      CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
      Standing standing =
          new Standing(
              world.store,
              at,
              () -> {
                world.time.advance(Duration.ofMinutes(20));
                world.recover(world.store, Direction.BACK);
                if (world.visible().containsKey("t/p=1/bad")) {
                  undo("bad");
                }
                assertThat(world.visible()).isEqualTo(good);
                return null;
              });
      boolean[] failed = new boolean[1];
      StoreWrapper failing =
          new StoreWrapper(standing) {
            @Override
            protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
                throws IOException {
              T answer = call.run();
              if (op == Operation.DELETE_ALL && key.contains("/good") && !failed[0]) {
                failed[0] = true;
                throw StoreException.of(Kind.CONNECTION_LOST, op, key, "no answer");
              }
              return answer;
            }
          };
      try {
        run(failing, plan);
      } catch (IOException e) {
        assertThat(failed[0] || !standing.stoodAfter.isEmpty()).isTrue();
      }
      if (standing.stoodAfter.isEmpty()) {
        break;
      }
      if (!standing.stoodAfter.equals("-") && !world.visible().equals(good)) {
        lost.add(at + " after " + standing.stoodAfter + ": " + world.visible());
      }
    }
    assertThat(lost).isEmpty();
  }
}
