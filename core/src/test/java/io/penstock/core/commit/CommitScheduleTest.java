/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.CommitConfig.Direction;
import io.penstock.core.config.Settings;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.retry.RetryingStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Two or three jobs commit to one table at once, in an order drawn from a seed: requests are
 * throttled, answers are lost, some requests arrive late, jobs die or stop for minutes and wake up.
 * Replay a seed with {@code -Dpenstock.schedule.seed=N}, run more with {@code
 * -Dpenstock.schedule.count=N}.
 */
class CommitScheduleTest {
  private static final Set<String> OLD = Set.of("t/old-1", "t/old-2");

  /** The end of a job, as its caller knows it. */
  private enum Outcome {
    COMMITTED,
    FAILED,
    /** It died, or its commit could not be brought to its end. */
    UNKNOWN
  }

  private static final class Job {
    final String id;
    final boolean overwrites;
    final Set<String> keys = new TreeSet<>();
    final boolean renews;
    Outcome outcome = Outcome.UNKNOWN;

    Job(String id, boolean overwrites, boolean renews, int files) {
      this.renews = renews;
      this.id = id;
      this.overwrites = overwrites;
      for (int i = 0; i < files; i++) {
        keys.add("t/part-" + i + "-" + id);
      }
    }

    Set<String> appliedTo(Set<String> before) {
      Set<String> after = new TreeSet<>(keys);
      if (!overwrites) {
        after.addAll(before);
      }
      return after;
    }

    @Override
    public String toString() {
      return id
          + (overwrites ? " overwrites, " : " appends, ")
          + keys.size()
          + " files: "
          + outcome;
    }
  }

  /** One seed. */
  private static final class Run {
    final SplittableRandom chance;
    final CommitWorld world = new CommitWorld();
    final Baton baton;
    final List<Job> jobs = new ArrayList<>();
    final List<Runnable> late = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    final List<Leases.Renewal> renewals = new ArrayList<>();
    Set<Set<String>> legal = Set.of();

    Run(long seed) {
      chance = new SplittableRandom(seed);
      baton = new Baton(chance.split());
    }

    /** The store as one job sees it. */
    private final class Weather extends StoreWrapper {
      private final Baton.Runner runner;
      private final String job;
      private final int deathAt;
      private final SplittableRandom dice = chance.split();
      private final Thread owner = Thread.currentThread();
      private int requests;

      Weather(Baton.Runner runner, String job, int deathAt) {
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
          return isDead() ? null : call.run(); // A lease is renewed.
        }
        runner.await();
        requests++;
        int fate = dice.nextInt(100);
        log.add(job + " " + operation + " " + key + " " + fate + (isDead() ? " dead" : ""));
        if (isDead()) {
          throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "the process is dead.");
        }
        if (fate < 3) {
          world.time.advance(Duration.ofMinutes(3)); // It stops, and wakes up.
        } else if (fate < 6) {
          throw StoreException.of(Kind.THROTTLED, operation, key, "scripted.");
        } else if (fate < 9) {
          call.run();
          throw StoreException.of(Kind.CONNECTION_LOST, operation, key, "scripted.");
        } else if (fate < 11) {
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
    }

    void run() throws IOException {
      for (String key : OLD) {
        world.put(key, "old");
      }
      world.put("t/_SUCCESS", "");
      int count = 2 + chance.nextInt(2);
      for (int i = 0; i < count; i++) {
        add(new Job("job" + i, chance.nextInt(2) == 0, chance.nextInt(2) == 0, chance.nextInt(4)));
      }
      legal = legalStates();
      baton.run(this::step);
      late.forEach(Runnable::run);
      end();
    }

    private void add(Job job) throws IOException {
      jobs.add(job);
      int deathAt = chance.nextInt(3) == 0 ? 1 + chance.nextInt(20) : Integer.MAX_VALUE;
      Direction wish = List.of(Direction.values()).get(chance.nextInt(3));
      SplittableRandom marks = chance.split();
      List<TaskUpload> uploads = world.upload(job.id, job.keys.toArray(String[]::new));
      baton.add(
          runner -> {
            Weather weather = new Weather(runner, job.id, deathAt);
            RetryConfig retries = RetryConfig.ofCommits(Settings.of(Map.of()));
            ObjectStore store = new RetryingStore(weather, retries, world.time, marks);
            boolean isOver = commit(job, store, wish, uploads);
            if (weather.isDead()) {
              job.outcome = Outcome.UNKNOWN;
            } else if (!isOver) {
              new JobAbort(bucket -> store, Runnable::run).abort(uploads);
            }
          });
    }

    private Leases.Lease renewed(Leases.Renewal renewal) {
      renewals.add(renewal);
      return () -> {
        renewals.remove(renewal);
        return true;
      };
    }

    private void renew() {
      for (Leases.Renewal renewal : List.copyOf(renewals)) {
        try {
          renewal.run();
        } catch (IOException e) {
          log.add("renewal: " + e.getMessage());
        }
      }
    }

    /** Returns false if the job is to be aborted. */
    private boolean commit(Job job, ObjectStore store, Direction wish, List<TaskUpload> uploads) {
      JobCommit commit = null;
      try {
        // Half of the jobs renew their leases, as often as anybody asks for anything.
        commit =
            world.commit(store, job.id, wish, job.renews ? this::renewed : CommitWorld.NO_LEASES);
        if (job.overwrites) {
          commit.replace("lake", "t/");
        }
        commit.commit(uploads, Marker.JSON);
        job.outcome = Outcome.COMMITTED;
        return true;
      } catch (IOException e) {
        boolean isEnded = e.getSuppressed().length == 0 && !e.getMessage().contains("recover");
        job.outcome = isEnded ? Outcome.FAILED : Outcome.UNKNOWN;
        log.add(job.id + " failed: " + e.getMessage());
        return commit == null || commit.hasLeftIntent();
      }
    }

    /** Whatever happens, a reader finds at least what some order of some of the jobs leaves. */
    private void step() {
      if (!late.isEmpty() && chance.nextInt(10) == 0) {
        late.remove(chance.nextInt(late.size())).run();
      }
      if (chance.nextInt(10) == 0) {
        renew();
      }
      Set<String> visible = keys();
      assertThat(legal).as("nothing is lost").anyMatch(visible::containsAll);
    }

    private Set<String> keys() {
      try {
        return new TreeSet<>(world.visible().keySet());
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    /** What any order of any of the jobs leaves. */
    private Set<Set<String>> legalStates() {
      Set<Set<String>> states = new HashSet<>();
      apply(new TreeSet<>(OLD), jobs, states, false);
      return states;
    }

    private void apply(
        Set<String> state, List<Job> rest, Set<Set<String>> states, boolean mustAll) {
      if (!mustAll || rest.stream().noneMatch(job -> job.outcome == Outcome.COMMITTED)) {
        states.add(state);
      }
      for (Job job : rest) {
        List<Job> others = new ArrayList<>(rest);
        others.remove(job);
        apply(job.appliedTo(state), others, states, mustAll);
      }
    }

    /** When all is over and recovered, the table is what its jobs were told, in some order. */
    private void end() throws IOException {
      world.time.advance(Duration.ofMinutes(5));
      world.recover(world.store, Direction.AUTO);
      Set<Set<String>> states = new HashSet<>();
      List<Job> effective = jobs.stream().filter(job -> job.outcome != Outcome.FAILED).toList();
      apply(new TreeSet<>(OLD), effective, states, true);
      assertThat(states).as("in some order").contains(keys());
      assertThat(world.intentObjects())
          .allMatch(key -> key.matches(".*[.](decision|replaces|lease)"));
    }
  }

  private static void run(long seed) throws IOException {
    Run run = new Run(seed);
    try {
      run.run();
    } catch (AssertionError | RuntimeException | IOException e) {
      throw new AssertionError(
          "seed %d (-Dpenstock.schedule.seed=%d): %s%n%s%n%s"
              .formatted(seed, seed, e.getMessage(), run.jobs, String.join("\n", run.log)),
          e);
    }
  }

  @Test
  void jobsThatCommitAtOnceLeaveWhatSomeOrderOfThemLeaves() throws IOException {
    Long seed = Long.getLong("penstock.schedule.seed");
    if (seed != null) {
      run(seed);
      return;
    }
    int count = Integer.getInteger("penstock.schedule.count", 1000);
    for (int i = 0; i < count; i++) {
      run(i);
    }
  }
}
