/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.history.CommitToUndo;
import io.penstock.core.commit.history.CommitUndoing;
import io.penstock.core.commit.history.PastCommit;
import io.penstock.core.commit.history.TableHistory;
import io.penstock.core.commit.history.TableHistory.Known;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** A table in a bucket that keeps versions, whose commits are taken back. */
abstract class UndoScene {
  static final List<String> TABLE = List.of("t/");

  CommitWorld world;
  int undos;

  @BeforeEach
  void aBucketWithVersions() {
    undos = 0;
    world = new CommitWorld();
    world.store.keepVersions();
  }

  void commit(String jobId, List<String> replaced, String... keys) throws IOException {
    commit(world.commit(world.store, jobId), jobId, replaced, keys);
  }

  void commit(JobCommit commit, String jobId, List<String> replaced, String... keys)
      throws IOException {
    world.time.advance(Duration.ofMinutes(1));
    replaced.forEach(prefix -> commit.replace("lake", prefix));
    commit.commit(world.upload(jobId, keys), SuccessMarker.JSON);
    world.time.advance(Duration.ofMinutes(1));
  }

  Known known() throws IOException {
    return new TableHistory(bucket -> world.store, CommitWorld.TABLE, Runnable::run)
        .since(Instant.EPOCH);
  }

  PastCommit past(String jobId) throws IOException {
    return known().commits().stream()
        .filter(commit -> commit.job().equals(jobId))
        .findFirst()
        .orElseThrow();
  }

  CommitUndoing undoing(ObjectStore seen) {
    return new CommitUndoing(
        world.means(seen, Direction.AUTO, CommitWorld.NO_LEASES), CommitWorld.TABLE);
  }

  /** The jobs of the undos are called {@code x1.undo.JOB}, {@code x2.undo.JOB} and so on. */
  void run(ObjectStore seen, CommitToUndo plan) throws IOException {
    int n = ++undos;
    String unused =
        undoing(seen)
            .run(
                plan,
                (id, started) -> new CommittingJob(id, "app", "user", "host", 7, started),
                "x" + n);
  }

  CommitToUndo undo(ObjectStore seen, String jobId, boolean spares) throws IOException {
    CommitToUndo plan = undoing(world.store).plan(past(jobId), spares);
    world.time.advance(Duration.ofMinutes(1));
    run(seen, plan);
    world.time.advance(Duration.ofMinutes(1));
    return plan;
  }

  void undo(String jobId) throws IOException {
    CommitToUndo unused = undo(world.store, jobId, false);
  }

  /**
   * A table whose good content was overwritten by a bad one.
   *
   * @return the good content
   */
  Map<String, String> badOverwrite() throws IOException {
    commit("good", TABLE, "t/p=1/good", "t/p=2/good");
    Map<String, String> good = world.visible();
    commit("bad", TABLE, "t/p=1/bad", "t/p=3/bad");
    return good;
  }

  @FunctionalInterface
  interface Event {
    Object run() throws IOException;
  }

  /** Something that happens before the first request of a kind. */
  class Before extends StoreWrapper {
    private final Operation operation;
    private final String part;
    private final Event event;
    boolean isOver;

    Before(ObjectStore inner, Operation operation, String part, Event event) {
      super(inner);
      this.operation = operation;
      this.part = part;
      this.event = event;
    }

    @Override
    protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
        throws IOException {
      if (!isOver && op == operation && key.contains(part)) {
        isOver = true;
        var unused = event.run();
      }
      return super.around(op, key, sentBytes, call);
    }
  }

  /** Returns the store of a process that dies when it deletes or restores the good files. */
  StoreWrapper dying() {
    boolean[] dead = new boolean[1];
    return new StoreWrapper(world.store) {
      @Override
      protected <T> T around(Operation op, String key, long sentBytes, Call<T> call)
          throws IOException {
        dead[0] |= op == Operation.DELETE_ALL && key.contains("/good");
        if (dead[0]) {
          throw StoreException.of(Kind.CONNECTION_LOST, op, key, "dead");
        }
        return call.run();
      }
    };
  }
}
