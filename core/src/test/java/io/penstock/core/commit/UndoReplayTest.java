/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.history.CommitToUndo;
import io.penstock.core.commit.history.CommitUndoing;
import io.penstock.core.commit.history.CommitUndoing.RefusedException;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.store.Body;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do while a commit is taken back, or was, and processes that wake up then. */
/**
 * Commits are taken back, and their undos too, in many orders; a replay of what is left says what
 * must be there.
 */
class UndoReplayTest extends UndoScene {

  /** Another job that must be alone is at the table, and gone once this one has made way. */
  private ObjectStore waiting() throws IOException {
    Intent other =
        new Intent(
            new CommittingJob("other", "app", "user", "host", 1, world.time.now().minusSeconds(1)),
            0,
            true,
            "t/_SUCCESS",
            SuccessMarker.JSON,
            java.util.OptionalLong.empty(),
            List.of());
    world.intents(world.store).put(other);
    return new Before(
        world.store,
        Operation.PUT,
        ".decision",
        () -> {
          world.time.advance(Duration.ofSeconds(3));
          world.intents(world.store).remove(other, Optional.empty(), false, false);
          return null;
        });
  }

  @Test
  void anAppendThatHadToWaitIsKnown() throws IOException {
    badOverwrite();
    commit(world.commit(waiting(), "later"), "later", List.of(), "t/p=1/later");
    undo("bad");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/good", "t/p=2/good", "t/p=1/later");
  }

  @Test
  void anUndoThatHasToWait() throws IOException {
    Map<String, String> good = badOverwrite();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    run(waiting(), plan);
    assertThat(world.visible()).isEqualTo(good);
  }

  @Test
  void undoRedoUndo() throws IOException {
    commit("older", List.of(), "t/p=1/older");
    Map<String, String> older = world.visible();
    badOverwrite();
    undo("bad");
    undo("x1.undo.bad");
    undo("bad");
    undo("good");
    assertThat(world.visible()).isEqualTo(older);
  }

  @Test
  void redoneOverwriteThatFoundNothing() throws IOException {
    commit("good", TABLE, "t/p=1/good", "t/p=2/good");
    commit("empty", TABLE);
    commit("next", TABLE, "t/p=3/next");
    undo("next");
    undo("x1.undo.next");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("empty")).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  @Test
  void redoneOverwriteThatFoundNothingSpared() throws IOException {
    badOverwrite();
    commit("next", TABLE, "t/p=1/next");
    undo("next");
    undo("x1.undo.next");
    CommitToUndo plan = undoing(world.store).plan(past("bad"), true);
    run(world.store, plan);
    assertThat(world.visible()).containsOnlyKeys("t/p=1/next");
  }

  @Test
  void namedCommitsOfDifferentPartitions() throws IOException {
    for (int i = 1; i <= 2; i++) {
      JobCommit c = world.commit(world.store, "c" + i);
      c.name(CommitId.ofUser("day-" + i));
      commit(c, "c" + i, List.of(), "t/p=" + i + "/c" + i);
    }
    undo("c1");
    undo("c2");
    undo("x1.undo.c1");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/c1");
  }

  @Test
  void deletedByHandThenOverwritten() throws IOException {
    commit("good", TABLE, "t/p=1/good", "t/p=2/good");
    commit("bad", TABLE, "t/p=2/bad");
    world.store.delete("t/p=2/bad");
    world.time.advance(Duration.ofMinutes(1));
    commit("next", TABLE, "t/p=3/next");
    CommitToUndo plan = undoing(world.store).plan(past("bad"), true);
    run(world.store, plan);
    assertThat(world.visible()).containsOnlyKeys("t/p=3/next");
  }

  @Test
  void overwriteThenAppendBothTakenBack() throws IOException {
    Map<String, String> good = badOverwrite();
    commit("append", List.of(), "t/p=1/append");
    undo("append");
    undo("bad");
    assertThat(world.visible()).isEqualTo(good);
  }

  @Test
  void twoAppendsNewestFirst() throws IOException {
    commit("a1", List.of(), "t/a1");
    commit("a2", List.of(), "t/a2");
    undo("a2");
    undo("a1");
    assertThat(world.visible()).isEmpty();
  }

  @Test
  void twoAppendsOldestFirst() throws IOException {
    commit("a1", List.of(), "t/a1");
    commit("a2", List.of(), "t/a2");
    undo("a1");
    undo("a2");
    assertThat(world.visible()).isEmpty();
  }

  @Test
  void appendBetweenIsUndone() throws IOException {
    badOverwrite();
    commit("a1", List.of(), "t/p=1/a1");
    commit("a2", List.of(), "t/p=1/a2");
    undo("a1");
    undo("x1.undo.a1");
    undo("a2");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/bad", "t/p=3/bad", "t/p=1/a1");
  }

  @Test
  void partialUndoThenRest() throws IOException {
    Map<String, String> good = badOverwrite();
    commit("fix", List.of("t/p=3/"), "t/p=3/fix");
    CommitToUndo plan = undoing(world.store).plan(past("bad"), true);
    world.time.advance(Duration.ofMinutes(1));
    run(world.store, plan);
    world.time.advance(Duration.ofMinutes(1));
    undo("fix");
    assertThatThrownBy(() -> undo("bad")).isInstanceOf(RefusedException.class);
    run(world.store, undoing(world.store).plan(past("bad"), true));
    assertThat(world.visible()).isEqualTo(good);
  }

  /** A store that does not compare ETags in bulk deletes, as MinIO and versitygw. */
  private ObjectStore plain() {
    return new StoreWrapper(world.store) {
      @Override
      public io.penstock.core.store.StoreTraits traits() {
        return io.penstock.core.store.StoreTraits.unknown(
            io.penstock.core.store.parts.PartNumbering.CONSECUTIVE);
      }
    };
  }

  private void undoPlain(String jobId) throws IOException {
    CommitToUndo plan = undoing(plain()).plan(past(jobId), false);
    world.time.advance(Duration.ofMinutes(1));
    run(plain(), plan);
    world.time.advance(Duration.ofMinutes(1));
  }

  @Test
  void fixedNameOfAnotherVersion() throws IOException {
    commit(world.commit(plain(), "rdd"), "rdd", List.of(), "t/part-00000");
    commit(world.commit(plain(), "bad"), "bad", TABLE, "t/part-bad");
    commit(world.commit(plain(), "rdd2"), "rdd2", List.of("t/part-bad"), "t/part-00000");
    undoPlain("rdd2");
    assertThatThrownBy(() -> undoPlain("bad"))
        .hasMessageContaining("nobody knows which version of s3://lake/t/part-00000 it was");
  }

  /** The second RDD job fails and is rolled back. */
  @Test
  void fixedNameOfAFailedJob() throws IOException {
    commit(world.commit(plain(), "rdd"), "rdd", List.of(), "t/part-00000");
    commit(world.commit(plain(), "bad"), "bad", TABLE, "t/part-bad");
    boolean[] failed = new boolean[1];
    StoreWrapper failing =
        new StoreWrapper(plain()) {
          @Override
          protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (op == Operation.COMPLETE_UPLOAD && key.contains("part-00001") && !failed[0]) {
              failed[0] = true;
              throw StoreException.of(Kind.ACCESS_DENIED, op, key, "no");
            }
            return call.run();
          }
        };
    assertThatThrownBy(
            () ->
                commit(
                    world.commit(failing, "rdd2"),
                    "rdd2",
                    List.of(),
                    "t/part-00000",
                    "t/part-00001"))
        .isInstanceOf(IOException.class);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(world.visible()).isEqualTo(Map.of("t/part-bad", "bad"));
    assertThatThrownBy(() -> undoPlain("bad"))
        .hasMessageContaining("nobody knows which version of s3://lake/t/part-00000 it was");
  }

  /** INSERT OVERWRITE t PARTITION (p = 1) with other sub-partitions. */
  @Test
  void staticOverwriteWithSubPartitions() throws IOException {
    commit("good", TABLE, "t/p=1/q=1/good", "t/p=2/q=1/good");
    commit("bad", TABLE, "t/p=2/q=1/bad");
    commit("fix", List.of("t/p=1/"), "t/p=1/q=2/fix");
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("bad")).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  /** INSERT OVERWRITE t PARTITION (p = 1) with no rows. */
  @Test
  void staticOverwriteWithNoRows() throws IOException {
    commit("good", TABLE, "t/p=1/good", "t/p=2/good");
    commit("bad", TABLE, "t/p=2/bad");
    commit("fix", List.of("t/p=1/"));
    Map<String, String> before = world.visible();
    assertThatThrownBy(() -> undo("bad")).isInstanceOf(RefusedException.class);
    assertThat(world.visible()).isEqualTo(before);
  }

  @Test
  void recordOfASparedCommit() throws IOException {
    JobCommit c = world.commit(world.store, "c1");
    c.name(CommitId.ofUser("day-1"));
    commit(c, "c1", List.of(), "t/p=1/c1a", "t/p=1/c1b");
    world.store.delete("t/p=1/c1b");
    CommitToUndo plan = undoing(world.store).plan(past("c1"), true);
    run(world.store, plan);
    assertThat(world.visible()).containsOnlyKeys("t/p=1/c1a");
    JobCommit again = world.commit(world.store, "again");
    again.name(CommitId.ofUser("day-1"));
    commit(again, "again", List.of(), "t/p=1/again");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/c1a");
  }

  @Test
  void commitsThatHadToWaitAreTakenBackOneAfterTheOther() throws IOException {
    commit("good", TABLE, "t/p=1/good");
    Map<String, String> good = world.visible();
    commit(world.commit(waiting(), "bad"), "bad", TABLE, "t/p=1/bad");
    commit(world.commit(waiting(), "worse"), "worse", TABLE, "t/p=1/worse");
    undo("worse-1");
    undo("bad-1");
    assertThat(world.visible()).isEqualTo(good);
    undo("x2.undo.bad");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/bad");
  }

  /** The undo is restored in part by recover --forward. */
  @Test
  void redoAfterPartialUndo() throws IOException {
    badOverwrite();
    commit("fix", List.of("t/p=3/"), "t/p=3/fix");
    CommitToUndo plan = undoing(world.store).plan(past("bad"), true);
    world.time.advance(Duration.ofMinutes(1));
    run(world.store, plan);
    world.time.advance(Duration.ofMinutes(1));
    undo("x1.undo.bad");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/bad", "t/p=3/fix");
    undo("fix");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/bad", "t/p=3/bad");
    undo("bad");
    assertThat(world.visible()).containsOnlyKeys("t/p=1/good", "t/p=2/good");
  }

  @Test
  void filesInABucketWithoutVersions() throws IOException {
    io.penstock.core.store.memory.InMemoryStore other =
        new io.penstock.core.store.memory.InMemoryStore("other", world.time);
    io.penstock.core.commit.files.Stores stores = b -> b.equals("other") ? other : world.store;
    io.penstock.core.store.parts.Upload up = other.createUpload("x/a", Optional.of("a"));
    io.penstock.core.store.parts.Part part = other.uploadPart(up, 1, Body.ofBytes(new byte[3]));
    JobCommit c = world.commit(stores, Output.of("lake", "t"), "a");
    c.commit(
        List.of(
            new io.penstock.core.commit.files.TaskUpload(
                "other", new io.penstock.core.store.parts.PendingUpload(up, List.of(part)))),
        SuccessMarker.JSON);
    world.time.advance(Duration.ofMinutes(1));
    JobCommit.Means m = world.means(world.store, Direction.AUTO, CommitWorld.NO_LEASES);
    CommitUndoing undoing =
        new CommitUndoing(
            new JobCommit.Means(
                stores, m.pool(), m.time(), m.config(), m.leases(), m.unansweredWrites()),
            CommitWorld.TABLE);
    assertThatThrownBy(
            () ->
                undoing.run(
                    undoing.plan(past("a"), false),
                    (id, started) -> new CommittingJob(id, "app", "user", "host", 7, started),
                    "y"))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void undoIsRefusedAtTheFenceAndThenRepeated() throws IOException {
    Map<String, String> good = badOverwrite();
    CommitToUndo plan = undoing(world.store).plan(past("bad"), false);
    commit("n", List.of("t/p=7/"), "t/p=7/n");
    assertThatThrownBy(() -> run(world.store, plan)).isInstanceOf(RefusedException.class);
    undo("n");
    undo("bad");
    assertThat(world.visible()).isEqualTo(good);
  }

  /** A job of a history: what it replaced, and its files. */
  private record Op(String job, List<String> replaced, List<String> keys) {
    static Op of(String job, SplittableRandom chance, boolean hasStatic) {
      List<String> keys = new ArrayList<>();
      List<String> replaced = new ArrayList<>();
      for (int part = 1; part <= 3; part++) {
        if (chance.nextBoolean()) {
          keys.add("t/p=" + part + "/" + job);
        }
      }
      switch (chance.nextInt(hasStatic ? 4 : 3)) {
        case 0 -> replaced.add("t/");
        case 1 -> keys.forEach(key -> replaced.add(key.substring(0, "t/p=1/".length())));
        case 2 -> {}
        default -> {
          keys.removeIf(key -> !key.startsWith("t/p=1/"));
          replaced.add("t/p=1/");
        }
      }
      return new Op(job, replaced, keys);
    }
  }

  /** The jobs of a history, and the directories in which each has been taken back. */
  private final class History {
    private final List<Op> ops = new ArrayList<>();
    private final Map<String, String> roots = new HashMap<>();
    private final Set<String> off = new HashSet<>();
    private int accepted;

    void play(long seed, boolean spares) throws IOException {
      SplittableRandom chance = new SplittableRandom(seed);
      StringBuilder log = new StringBuilder("seed " + seed + ": ");
      int length = 3 + chance.nextInt(4);
      for (int n = 0; n < length; n++) {
        if (n == 0 || chance.nextBoolean()) {
          Op op = Op.of("j" + n, chance, seed % 3 == 0);
          if (!op.keys().isEmpty() || !op.replaced().isEmpty()) {
            commit(op.job(), op.replaced(), op.keys().toArray(String[]::new));
            ops.add(op);
            log.append(op).append("; ");
          }
          continue;
        }
        List<String> names = new ArrayList<>(ops.stream().map(Op::job).toList());
        if (!spares) {
          names.addAll(new TreeSet<>(roots.keySet()));
        }
        if (!names.isEmpty()) {
          String name = names.get(chance.nextInt(names.size()));
          log.append("undo ").append(name).append("; ");
          takeBack(name, spares);
        }
        assertThat(world.visible().keySet()).as(log.toString()).isEqualTo(replayed());
      }
    }

    private void takeBack(String name, boolean spares) throws IOException {
      CommitToUndo plan;
      try {
        plan = undoing(world.store).plan(past(name), spares);
      } catch (RefusedException e) {
        return;
      }
      if (plan.removed().isEmpty() && plan.restored().isEmpty()) {
        return;
      }
      world.time.advance(Duration.ofMinutes(1));
      run(world.store, plan);
      world.time.advance(Duration.ofMinutes(1));
      accepted++;
      String root = roots.getOrDefault(name, name);
      roots.put("x" + undos + ".undo." + name.replaceFirst("[.]undo[.].*", ""), root);
      for (int part = 1; part <= 3; part++) {
        String directory = "t/p=" + part + "/";
        String one = root + " " + directory;
        if (!plan.spared().containsKey("s3://lake/" + directory) && !off.remove(one)) {
          off.add(one);
        }
      }
    }

    private Set<String> replayed() {
      Set<String> keys = new TreeSet<>();
      for (Op op : ops) {
        for (int part = 1; part <= 3; part++) {
          String directory = "t/p=" + part + "/";
          if (!off.contains(op.job() + " " + directory)) {
            keys.removeIf(
                key ->
                    key.startsWith(directory) && op.replaced().stream().anyMatch(key::startsWith));
            op.keys().stream().filter(key -> key.startsWith(directory)).forEach(keys::add);
          }
        }
      }
      return keys;
    }
  }

  /**
   * Appends, and overwrites of the table, of the partitions that they write, and of one partition,
   * are taken back in any order, and so are the undos. Run more with {@code
   * -Dpenstock.undo.count=N}.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsLeftIsAsIfTheCommitsHadNotBeen(boolean spares) throws IOException {
    int accepted = 0;
    for (int seed = 0; seed < Integer.getInteger("penstock.undo.count", 1500); seed++) {
      aBucketWithVersions();
      undos = 0;
      History history = new History();
      history.play(seed, spares);
      accepted += history.accepted;
    }
    assertThat(accepted).isGreaterThan(500);
  }
}
