/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.CommitHistory.Job;
import io.penstock.core.commit.CommitHistory.Outcome;
import io.penstock.core.commit.CommitHistory.Sort;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.view.CommittedView;
import io.penstock.core.commit.view.CommittedView.Listed;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Readers list a table while up to four jobs commit to it, request by request, in an order drawn
 * from a seed. Jobs append, overwrite all or some partitions or write fixed names, to the table or
 * to a partition; some fail, some die at any request, and another process may end their commits. A
 * listing takes one key a page, some, or all; the keys of a bulk delete go one by one in any order.
 * Replay a seed with {@code -Dpenstock.view.seed=N}, run more with {@code -Dpenstock.view.count=N};
 * {@code -Dpenstock.view.off=true} counts what readers see without the view.
 */
@Execution(ExecutionMode.CONCURRENT)
class CommittedViewTest {
  private static final boolean IS_OFF = Boolean.getBoolean("penstock.view.off");

  /** Seeds that have found faults. */
  private static final List<Long> FOUND = List.of();

  private static long reads;
  private static long mixes;

  /** One seed. */
  private static final class Run {
    final SplittableRandom chance;
    final CommitWorld world = new CommitWorld();
    final Baton baton;
    final List<Job> jobs = new ArrayList<>();
    final Map<String, String> old = new TreeMap<>();
    final List<String> log = new ArrayList<>();
    final String partition;
    final String listed;
    final int pageSize;
    Optional<String> mix = Optional.empty();

    Run(long seed) {
      chance = new SplittableRandom(seed);
      baton = new Baton(chance.split());
      // In upper case, partitions are listed before the intents.
      partition = chance.nextInt(4) == 0 ? "P=" : "p=";
      listed = chance.nextInt(3) == 0 ? "t/" + partition + "1/" : "t/";
      pageSize = List.of(1, 1, 3, 1000).get(chance.nextInt(4));
    }

    /** The store as one process sees it. */
    private final class Stepping extends StoreWrapper {
      private final Baton.Runner runner;
      private final String who;
      private final int deathAt;
      private final int failureAt;
      private final boolean failsMarker;
      private final Random order = new Random(chance.nextLong());
      private int requests;

      Stepping(Baton.Runner runner, String who, int deathAt, int failureAt, boolean failsMarker) {
        super(world.store);
        this.runner = runner;
        this.who = who;
        this.deathAt = deathAt;
        this.failureAt = failureAt;
        this.failsMarker = failsMarker;
      }

      boolean isDead() {
        return requests >= deathAt;
      }

      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        runner.await();
        requests++;
        log.add(who + " " + operation + " " + key + (isDead() ? " dead" : ""));
        if (isDead()) {
          throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "the process is dead.");
        }
        boolean isMarker = operation == Operation.PUT && key.endsWith("_SUCCESS");
        if ((requests == failureAt && operation != Operation.LIST) || (failsMarker && isMarker)) {
          throw StoreException.of(Kind.INVALID_REQUEST, operation, key, "scripted.");
        }
        return call.run();
      }

      @Override
      public ListPage list(ListRequest request) throws IOException {
        return super.list(who.startsWith("reader") ? request.limit(pageSize) : request);
      }

      /** A store deletes the keys of a request one by one, in any order, and readers see it. */
      @Override
      public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
        List<String> shuffled = new ArrayList<>(keys.keySet());
        Collections.shuffle(shuffled, order);
        for (String key : shuffled) {
          delete(key, keys.get(key));
        }
        return Map.of();
      }
    }

    void run() throws IOException {
      for (String key : List.of("1/a0-old", "1/n1-old", "2/a0-old", "2/z1-old")) {
        old.put("t/" + partition + key, "old");
      }
      if (chance.nextInt(8) == 0) {
        old.clear();
      }
      for (String key : old.keySet()) {
        world.put(key, "old");
      }
      boolean isMarked = chance.nextInt(4) > 0;
      if (isMarked) {
        world.put("t/_SUCCESS", "");
      }
      // A first commit that is undone leaves nothing, so a long listing may have seen some of it.
      boolean isDeadly = isMarked && chance.nextInt(2) == 0;
      int count = 1 + chance.nextInt(4);
      for (int i = 0; i < count; i++) {
        addJob("job" + i, isMarked, isDeadly);
      }
      if (isDeadly) {
        baton.add(this::recover);
      }
      for (int i = 0; i < 2; i++) {
        String name = "reader" + i;
        baton.add(runner -> read(runner, name));
      }
      baton.run(() -> world.time.advance(Duration.ofMillis(20)));
    }

    private void addJob(String id, boolean isMarked, boolean isDeadly) {
      boolean hasFixed = jobs.stream().anyMatch(job -> job.sort == Sort.FIXED_NAMES);
      List<Sort> sorts = List.of(Sort.values()).subList(0, hasFixed ? 3 : 4);
      Job job = new Job(id, sorts.get(chance.nextInt(sorts.size())));
      jobs.add(job);
      boolean isOfPartition = job.sort != Sort.OVERWRITE && chance.nextInt(4) == 0;
      int files = chance.nextInt(4);
      for (int i = 0; i < files; i++) {
        char first = (char) ('a' + chance.nextInt(26));
        String name =
            job.sort == Sort.FIXED_NAMES ? first + "fixed" + i : first + "-" + i + "-" + id;
        job.keys.add("t/" + partition + (isOfPartition ? 1 : 1 + chance.nextInt(2)) + "/" + name);
      }
      int deathAt = isDeadly && chance.nextInt(2) == 0 ? 1 + chance.nextInt(20) : 1000;
      int failureAt = isMarked && chance.nextInt(4) == 0 ? 4 + chance.nextInt(12) : 0;
      // Its intent stays, and its decision to go forward.
      boolean failsMarker = isMarked && chance.nextInt(6) == 0;
      int delay = chance.nextInt(16);
      // The content of files with fixed names is never in a message.
      int inline = job.sort == Sort.FIXED_NAMES ? 0 : chance.nextInt(3);
      SuccessMarker marker = chance.nextInt(3) > 0 ? SuccessMarker.JSON : SuccessMarker.EMPTY;
      baton.add(
          runner -> {
            runner.pause(delay);
            Stepping store = new Stepping(runner, id, deathAt, failureAt, failsMarker);
            Output output = Output.of("lake", isOfPartition ? "t/" + partition + "1" : "t");
            JobCommit commit = world.commit(bucket -> store, output, id);
            try {
              if (job.sort == Sort.OVERWRITE) {
                commit.replace("lake", "t/");
              }
              if (job.sort == Sort.DYNAMIC) {
                job.partitions().forEach(one -> commit.replace("lake", one));
              }
              List<TaskFile> own =
                  world.write(
                      id,
                      key -> Math.floorMod(key.hashCode(), 3) < inline,
                      job.keys.toArray(String[]::new));
              commit.commit(own, marker);
              job.outcome = Outcome.COMMITTED;
            } catch (IOException | RuntimeException e) {
              boolean isEnded =
                  !store.isDead()
                      && e.getSuppressed().length == 0
                      && !e.getMessage().contains("recover");
              job.outcome = isEnded ? Outcome.FAILED : Outcome.UNKNOWN;
              log.add(id + " " + job.outcome + " " + e);
            }
          });
    }

    /** Another process ends the commits of the dead, and of those that it takes for dead. */
    private void recover(Baton.Runner runner) {
      for (int i = 0; i < 2; i++) {
        runner.pause(10 + chance.nextInt(60));
        Stepping store = new Stepping(runner, "recovery", 1000, 0, false);
        try {
          Collection<Seen> there = world.intents(store).list().intents().values();
          world.time.advance(Duration.ofMinutes(2));
          world.recover(store, Direction.AUTO, there);
        } catch (IOException | RuntimeException e) {
          log.add("recovery " + e);
        }
      }
    }

    private void read(Baton.Runner runner, String name) {
      Stepping store = new Stepping(runner, name, 1_000_000, 0, false);
      VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
      CommittedView view = new CommittedView(store, Runnable::run, time);
      for (int i = 0; i < 6 && mix.isEmpty(); i++) {
        List<Job> endedBefore =
            jobs.stream().filter(job -> job.outcome != Outcome.UNKNOWN).toList();
        Map<Job, Outcome> outcomes = new HashMap<>();
        endedBefore.forEach(job -> outcomes.put(job, job.outcome));
        try {
          List<ObjectMeta> seen =
              IS_OFF
                  ? list(store).orElseThrow().objects()
                  : view.list(listed, () -> list(store)).orElseThrow();
          judge(name, seen, outcomes);
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    private Optional<Listed> list(Stepping store) throws IOException {
      List<ObjectMeta> all = new ArrayList<>();
      ListRequest request = ListRequest.flat(listed);
      ListPage page = store.list(request);
      List<ObjectMeta> first = page.objects();
      boolean isOnePage = page.nextToken().isEmpty();
      all.addAll(first);
      while (page.nextToken().isPresent()) {
        request = request.next(page.nextToken().get());
        page = store.list(request);
        all.addAll(page.objects());
      }
      return Optional.of(new Listed(all, first, isOnePage, false));
    }

    private void judge(String name, List<ObjectMeta> seen, Map<Job, Outcome> endedBefore)
        throws IOException {
      Map<String, String> state = new TreeMap<>();
      for (ObjectMeta object : seen) {
        String file = object.key().substring(object.key().lastIndexOf('/') + 1);
        boolean isData = !file.isEmpty() && !file.startsWith("_");
        if (isData) {
          state.put(object.key(), owner(object.key()));
        }
      }
      Set<Map<String, String>> right = new HashSet<>();
      apply(old, jobs, endedBefore, right);
      reads++;
      if (!right.contains(state)) {
        mixes++;
        log.add(name + " saw " + state + ", ended before " + endedBefore.keySet());
        if (!IS_OFF) {
          mix = Optional.of(name + " saw " + state);
        }
      }
    }

    private String owner(String key) {
      if (key.contains("fixed")) {
        return jobs.stream()
            .filter(job -> job.sort == Sort.FIXED_NAMES)
            .map(job -> job.id)
            .findFirst()
            .orElseThrow();
      }
      return key.substring(key.lastIndexOf('-') + 1);
    }

    /** Adds what a reader may see of the tables that some order of some of the jobs leaves. */
    private void apply(
        Map<String, String> state,
        List<Job> rest,
        Map<Job, Outcome> endedBefore,
        Set<Map<String, String>> right) {
      if (rest.stream().noneMatch(job -> endedBefore.get(job) == Outcome.COMMITTED)) {
        Map<String, String> part = new TreeMap<>(state);
        part.keySet().removeIf(key -> !key.startsWith(listed));
        right.add(part);
      }
      for (Job job : rest) {
        if (endedBefore.get(job) == Outcome.FAILED) {
          continue;
        }
        List<Job> others = new ArrayList<>(rest);
        others.remove(job);
        apply(job.appliedTo(state), others, endedBefore, right);
      }
    }
  }

  private static void run(long seed) {
    Run run = new Run(seed);
    try {
      run.run();
    } catch (RuntimeException | IOException e) {
      throw new AssertionError("seed " + seed, e);
    }
    assertThat(run.mix)
        .as(
            "seed %d, replay: ./mvnw test -pl core -Dtest=CommittedViewTest"
                + " -Dpenstock.view.seed=%d%n%s%n%s",
            seed, seed, run.jobs, String.join("\n", run.log))
        .isEmpty();
  }

  @Test
  void aReaderSeesEachCommitAsAWholeOrNotAtAll() {
    Long seed = Long.getLong("penstock.view.seed");
    if (seed != null) {
      run(seed);
      return;
    }
    FOUND.forEach(CommittedViewTest::run);
    long first = Long.getLong("penstock.view.first", 0);
    long count = Long.getLong("penstock.view.count", 400);
    for (long i = first; i < first + count; i++) {
      run(i);
    }
    if (IS_OFF) {
      System.out.printf("without the view: %d mixes in %d reads%n", mixes, reads);
    }
  }
}
