/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.CommitHistory.Job;
import io.penstock.core.commit.CommitHistory.Outcome;
import io.penstock.core.commit.CommitHistory.Sort;
import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.history.CommitUndoing;
import io.penstock.core.commit.history.PastCommit;
import io.penstock.core.commit.history.TableHistory;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.life.JobAbort;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.config.Settings;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Two or three jobs commit to one table at once, in an order drawn from a seed: they append,
 * overwrite all or some partitions, or write fixed names; some files are inline. Requests are
 * throttled, answers are lost, some requests arrive late, and so do aborts of executors; jobs die,
 * or one or all stop for minutes and wake up. Replay a seed with {@code
 * -Dpenstock.schedule.seed=N}, run more with {@code -Dpenstock.schedule.count=N}.
 */
class CommitScheduleTest {
  /** Seeds that have found faults. */
  private static final List<Long> FOUND = List.of(3112L, 94_653L);

  private static final String FIXED_NAME = "t/part-[0-9]";

  /** Names that come back: a late DELETE would hit them. */
  private static final String RESTORED = "t/p=[12]/(good|bad)";

  private static final Map<String, String> OLD =
      Map.of("t/p=1/old", "old", "t/p=2/old", "old", "t/part-0", "old");

  /** One seed. */
  private static final class Run {
    final SplittableRandom chance;
    final CommitWorld world = new CommitWorld();
    final boolean isUndoing;
    final Map<String, String> old;
    final Baton baton;
    final List<Job> jobs = new ArrayList<>();
    final List<Runnable> late = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    final Map<String, Leases.Renewal> renewals = new TreeMap<>();
    final Set<String> paused = new HashSet<>();
    Set<Map<String, String>> possible = Set.of();

    Run(long seed, boolean isUndoing) {
      this.isUndoing = isUndoing;
      this.old = isUndoing ? CommitHistory.BAD : OLD;
      chance = new SplittableRandom(seed);
      baton = new Baton(chance.split());
    }

    /** The store as one job sees it. */
    private final class Weather extends StoreWrapper {
      private final Baton.Runner runner;
      private final Job job;
      private final int deathAt;
      private final SplittableRandom dice = chance.split();
      private final Thread owner = Thread.currentThread();
      private int requests;
      private Map<String, Condition> toDelete = Map.of();

      Weather(Baton.Runner runner, Job job, int deathAt) {
        super(world.store);
        this.runner = runner;
        this.job = job;
        this.deathAt = deathAt;
      }

      boolean isDead() {
        return requests >= deathAt;
      }

      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        if (Thread.currentThread() != owner) {
          // A lease is renewed.
          if (isDead()) {
            throw denied(operation, key);
          }
          return call.run();
        }
        runner.await();
        requests++;
        int fate = dice.nextInt(100);
        log.add(job.id + " " + operation + " " + key + " " + fate + (isDead() ? " dead" : ""));
        if (isDead()) {
          throw denied(operation, key);
        }
        if (fate < 4 && isUnfenced(operation, key)) {
          return call.run();
        } else if (fate < 2) {
          world.time.advance(Duration.ofMinutes(3)); // All processes stop, and wake up.
        } else if (fate < 4) {
          pause();
        } else if (fate < 7) {
          throw StoreException.of(Kind.THROTTLED, operation, key, "scripted.");
        } else if (fate < 10) {
          call.run();
          throw StoreException.of(Kind.CONNECTION_LOST, operation, key, "scripted.");
        } else if (fate < 12 && !isUnfenced(operation, key)) {
          late.add(
              () -> {
                try {
                  call.run();
                } catch (IOException e) {
                  log.add("late: " + e.getMessage());
                }
              });
          throw StoreException.of(Kind.CONNECTION_LOST, operation, key, "scripted, late.");
        }
        return call.run();
      }

      private static StoreException denied(Operation operation, String key) {
        return StoreException.of(Kind.ACCESS_DENIED, operation, key, "the process is dead.");
      }

      /**
       * A PUT of a file arrives late by seconds, but not by minutes: a server closes a connection
       * on which nothing moves, and the file would come back after it was deleted.
       */
      @Override
      public String put(String key, Body body, Condition condition) throws IOException {
        boolean isLate = !key.contains("/_") && dice.nextInt(100) < 3;
        if (!isLate || isDead()) {
          return super.put(key, body, condition);
        }
        runner.await();
        requests++;
        Body sent = Body.ofBytes(body.open().readAllBytes());
        Duration delay = Duration.ofMillis(dice.nextLong(UnansweredWrites.SETTLING.toMillis()));
        world.time.after(
            delay,
            () -> {
              log.add(job.id + " late PUT " + key);
              world.store.put(key, sent, condition);
            });
        throw StoreException.of(Kind.CONNECTION_LOST, Operation.PUT, key, "scripted, late PUT.");
      }

      /** This process alone stops for minutes; the others show that they live, and go on. */
      private void pause() {
        paused.add(job.id);
        for (int i = 0; i < 10; i++) {
          world.time.advance(Duration.ofSeconds(20));
          renew();
        }
        runner.pause(5 + dice.nextInt(20));
        paused.remove(job.id);
      }

      /**
       * S3 has nothing against a DELETE that arrives late, or that a process sends when it wakes
       * up, of a name that was written again.
       */
      private boolean isUnfenced(Operation operation, String key) {
        if (isUndoing && toDelete.keySet().stream().anyMatch(one -> one.matches(RESTORED))) {
          return operation == Operation.DELETE_ALL;
        }
        return switch (operation) {
          case DELETE -> key.matches(FIXED_NAME) && toDelete.get(key).equals(Condition.NONE);
          case DELETE_ALL ->
              toDelete.entrySet().stream()
                  .anyMatch(
                      one ->
                          one.getKey().matches(FIXED_NAME)
                              && one.getValue().equals(Condition.NONE));
          default -> false;
        };
      }

      @Override
      public void delete(String key, Condition condition) throws IOException {
        toDelete = Map.of(key, condition);
        super.delete(key, condition);
      }

      @Override
      public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
        toDelete = keys;
        return super.deleteAll(keys);
      }

      @Override
      public Map<String, StoreException> deleteVersions(Map<String, String> versions)
          throws IOException {
        toDelete = Map.of();
        return super.deleteVersions(versions);
      }
    }

    void run() throws IOException {
      if (isUndoing) {
        world.store.keepVersions();
        overwrite("good", CommitHistory.GOOD);
        overwrite("bad", CommitHistory.BAD);
        add(new Job("undo0", Sort.UNDO));
      } else {
        for (String key : OLD.keySet()) {
          world.put(key, "old");
        }
        world.put("t/_SUCCESS", "");
      }
      int count = (isUndoing ? 1 : 2) + chance.nextInt(2);
      for (int i = 0; i < count; i++) {
        add(newJob("job" + i));
      }
      possible = CommitHistory.possible(old, jobs);
      baton.run(this::step);
      late.forEach(Runnable::run);
      end();
    }

    private void overwrite(String id, Map<String, String> content) throws IOException {
      JobCommit commit = world.commit(world.store, id);
      commit.replace("lake", "t/");
      commit.commit(world.upload(id, content.keySet().toArray(String[]::new)), SuccessMarker.JSON);
      world.time.advance(Duration.ofMinutes(1));
    }

    private Job newJob(String id) {
      List<Sort> sorts = List.of(Sort.values()).subList(0, isUndoing ? 5 : 4);
      Job job = new Job(id, sorts.get(chance.nextInt(sorts.size())));
      if (job.sort == Sort.UNDO) {
        return job;
      }
      int files = chance.nextInt(4);
      for (int i = 0; i < files; i++) {
        job.keys.add(
            job.sort == Sort.FIXED_NAMES
                ? "t/part-" + i
                : "t/p=%d/part-%d-%s".formatted(1 + chance.nextInt(2), i, id));
      }
      return job;
    }

    private void add(Job job) throws IOException {
      jobs.add(job);
      int deathAt = chance.nextInt(3) == 0 ? 1 + chance.nextInt(20) : Integer.MAX_VALUE;
      boolean renews = chance.nextInt(2) == 0;
      Direction wish = List.of(Direction.values()).get(chance.nextInt(3));
      SplittableRandom writeIds = chance.split();
      boolean isInline = job.sort != Sort.FIXED_NAMES && chance.nextInt(2) == 0;
      boolean isMixed = chance.nextInt(2) == 0;
      List<TaskFile> files =
          world.write(
              job.id,
              key -> isInline && !(isMixed && key.contains("part-0")),
              job.keys.toArray(String[]::new));
      List<TaskUpload> uploads = FileSet.all(files).uploads();
      baton.add(
          runner -> {
            Weather weather = new Weather(runner, job, deathAt);
            RetryConfig retries = RetryConfig.ofCommits(Settings.of(Map.of()));
            ObjectStore store =
                LayeredStores.retrying(
                    weather, world.unansweredWrites, retries, world.time, writeIds);
            boolean isOver =
                job.sort == Sort.UNDO
                    ? undo(job, store, wish, renews)
                    : commit(job, store, wish, files, renews);
            if (weather.isDead()) {
              job.outcome = Outcome.UNKNOWN;
            } else if (!isOver) {
              new JobAbort(bucket -> store, Runnable::run).abort(files);
              // Its executors hear of it later, and drop what they sent.
              late.add(
                  () -> uploads.forEach(one -> world.store.abortUpload(one.pending().upload())));
            }
          });
    }

    private Leases renewedBy(Job job) {
      return renewal -> {
        renewals.put(job.id, renewal);
        return () -> {
          renewals.remove(job.id);
          return true;
        };
      };
    }

    private void renew() {
      Map.copyOf(renewals)
          .forEach(
              (id, renewal) -> {
                try {
                  if (!paused.contains(id)) {
                    renewal.run();
                  }
                } catch (IOException e) {
                  log.add("renewal: " + e.getMessage());
                }
              });
    }

    /** Returns true: there is nothing to abort. */
    private boolean undo(Job job, ObjectStore store, Direction wish, boolean renews) {
      CommitUndoing undoing =
          new CommitUndoing(
              world.means(store, wish, renews ? renewedBy(job) : CommitWorld.NO_LEASES),
              CommitWorld.TABLE);
      try {
        PastCommit bad =
            new TableHistory(bucket -> store, CommitWorld.TABLE, Runnable::run)
                .since(Instant.EPOCH).commits().stream()
                    .filter(commit -> commit.job().equals("bad"))
                    .findFirst()
                    .orElseThrow();
        undoing.run(undoing.plan(bad, false), (id, started) -> world.job(id), job.id);
        job.outcome = Outcome.COMMITTED;
      } catch (IOException e) {
        failed(job, e);
      }
      return true;
    }

    private void failed(Job job, IOException e) {
      boolean isEnded = e.getSuppressed().length == 0 && !e.getMessage().contains("recover");
      job.outcome = isEnded ? Outcome.FAILED : Outcome.UNKNOWN;
      log.add(job.id + " failed: " + e.getMessage());
    }

    /** Returns false if the job is to be aborted. */
    private boolean commit(
        Job job, ObjectStore store, Direction wish, List<TaskFile> files, boolean renews) {
      JobCommit commit =
          world.commit(store, job.id, wish, renews ? renewedBy(job) : CommitWorld.NO_LEASES);
      try {
        if (job.sort == Sort.OVERWRITE) {
          commit.replace("lake", "t/");
        }
        if (job.sort == Sort.DYNAMIC) {
          job.partitions().forEach(partition -> commit.replace("lake", partition));
        }
        commit.commit(files, SuccessMarker.JSON);
        job.outcome = Outcome.COMMITTED;
        return true;
      } catch (IOException e) {
        failed(job, e);
        return commit.hasLeftIntent();
      }
    }

    /** Checks that a reader finds what some order of some of the jobs leaves. */
    private void step() {
      if (!late.isEmpty() && chance.nextInt(10) == 0) {
        late.remove(chance.nextInt(late.size())).run();
      }
      if (chance.nextInt(10) == 0) {
        renew();
      }
      Map<String, String> visible = visible();
      assertThat(possible)
          .as("nothing is lost")
          .anyMatch(state -> visible.entrySet().containsAll(state.entrySet()));
    }

    private Map<String, String> visible() {
      try {
        return world.visible();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Checks, when all is recovered, that the table is what its jobs were told, in some order. */
    private void end() throws IOException {
      world.time.advance(Duration.ofMinutes(5));
      world.recover(world.store, Direction.AUTO);
      assertThat(CommitHistory.ends(old, jobs)).as("in some order").contains(visible());
      assertThat(world.intentObjects())
          .allMatch(key -> key.matches(".*[.](decision|replaces|lease|settling)"));
    }
  }

  private static void run(long seed, boolean isUndoing) throws IOException {
    Run run = new Run(seed, isUndoing);
    try {
      run.run();
    } catch (AssertionError | RuntimeException | IOException e) {
      throw new AssertionError(
          "seed %d (-Dpenstock.schedule.seed=%d%s): %s%n%s%n%s"
              .formatted(
                  seed,
                  seed,
                  isUndoing ? " of undos" : "",
                  e.getMessage(),
                  run.jobs,
                  String.join("\n", run.log)),
          e);
    }
  }

  @Test
  void jobsThatCommitAtOnceLeaveWhatSomeOrderOfThemLeaves() throws IOException {
    Long seed = Long.getLong("penstock.schedule.seed");
    for (long found : seed == null ? FOUND : List.<Long>of()) {
      run(found, false);
    }
    runAll(seed, false);
  }

  /** A commit is taken back while others commit, which may be further undos of it. */
  @Test
  void undosBesideJobsLeaveWhatSomeOrderOfThemLeaves() throws IOException {
    runAll(Long.getLong("penstock.schedule.seed"), true);
  }

  private static void runAll(Long seed, boolean isUndoing) throws IOException {
    long first = seed == null ? Long.getLong("penstock.schedule.first", 0) : seed;
    int count = seed == null ? Integer.getInteger("penstock.schedule.count", 1000) : 1;
    for (long i = first; i < first + count; i++) {
      run(i, isUndoing);
    }
  }
}
