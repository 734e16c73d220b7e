/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.Doing.Kind;
import io.penstock.core.commit.Doing.Outcome;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.life.JobAbort;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Does what a process does, as Spark does it: it looks whether its output exists, and commits. */
final class Deeds {
  private final Schedule schedule;
  private final ObjectStore store;
  private final Time time;
  private final Doing doing;

  Deeds(Schedule schedule, ObjectStore store, Time time, Doing doing) {
    this.schedule = schedule;
    this.store = store;
    this.time = time;
    this.doing = doing;
  }

  Outcome run(List<TaskFile> files) {
    try {
      switch (doing.kind) {
        case DELETE -> delete("t/");
        case DELETE_PARTITION -> delete("t/p=1/");
        case RENAME -> rename();
        default -> {
          return job(files);
        }
      }
      return Outcome.DONE;
    } catch (IOException e) {
      schedule.log(doing.id + " failed: " + e.getMessage());
      return Outcome.UNKNOWN;
    }
  }

  private Outcome job(List<TaskFile> files) {
    JobCommit commit =
        new JobCommit(means(), Output.of("lake", "t"), started -> schedule.world.job(doing.id));
    if (!doing.name.isEmpty()) {
      commit.name(CommitId.ofUser(doing.name));
    }
    try {
      Optional<Outcome> early = begin(commit);
      if (early.isPresent()) {
        new JobAbort(bucket -> store, Runnable::run).abort(files);
        return early.get();
      }
      commit.commit(files, SuccessMarker.JSON);
      return Outcome.DONE;
    } catch (IOException e) {
      schedule.log(doing.id + " failed: " + e.getMessage());
      for (Throwable suppressed : e.getSuppressed()) {
        schedule.log("  " + suppressed.getMessage());
      }
      if (!commit.hasLeftIntent()) {
        new JobAbort(bucket -> store, Runnable::run).abort(files);
      }
      boolean isEnded = e.getSuppressed().length == 0 && !e.getMessage().contains("recover");
      return isEnded ? Outcome.FAILED : Outcome.UNKNOWN;
    }
  }

  /** Does what Spark and its protocol do before the tasks run. */
  private Optional<Outcome> begin(JobCommit commit) throws IOException {
    switch (doing.kind) {
      case OVERWRITE -> commit.replace("lake", "t/");
      case DYNAMIC -> doing.partitions().forEach(partition -> commit.replace("lake", partition));
      case ERROR_IF_EXISTS, IGNORE -> {
        commit.requireAbsent("lake", "t/", doing.kind == Kind.IGNORE);
        commit.settleBefore();
        if (exists()) {
          // What exists may be a part of a job that commits just now, and may be undone.
          boolean isSure = schedule.all.stream().noneMatch(other -> isUnderWay(other));
          return Optional.of(doing.kind == Kind.IGNORE && isSure ? Outcome.DONE : Outcome.FAILED);
        }
      }
      default -> {}
    }
    return Optional.empty();
  }

  private boolean exists() throws IOException {
    return store.list(ListRequest.flat("t/")).objects().stream()
        .anyMatch(object -> !DirectoryGuard.isIntent(object.key()));
  }

  private boolean isUnderWay(Doing other) {
    return other != doing && other.kind.isJob() && other.hasBegun && !other.hasEnded;
  }

  private void delete(String prefix) throws IOException {
    DirectoryGuard.deleteAll(store, objects(prefix), Runnable::run);
  }

  private void rename() throws IOException {
    guard().await("lake", "u/");
    List<ObjectMeta> objects = objects("t/");
    for (ObjectMeta object : objects) {
      if (!DirectoryGuard.isIntent(object.key())) {
        store.copy(object.key(), "u/" + object.key().substring(2), Optional.empty());
      }
    }
    DirectoryGuard.deleteAll(store, objects, Runnable::run);
  }

  private List<ObjectMeta> objects(String prefix) throws IOException {
    return guard()
        .list(
            "lake", prefix, action -> Keys.under(store, prefix).forEach(action), object -> object);
  }

  private Means means() {
    Means of = schedule.world.means(store, Direction.AUTO, schedule.leasesOf(doing));
    return new Means(of.stores(), of.pool(), time, of.config(), of.leases(), of.unansweredWrites());
  }

  private DirectoryGuard guard() {
    int[] count = new int[1];
    return new DirectoryGuard(means(), started -> schedule.world.job(doing.id + "-" + count[0]++));
  }
}
