/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.Doing.Kind;
import io.penstock.core.commit.Doing.Outcome;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.config.Settings;
import io.penstock.core.interleaving.Choices;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.time.Time;
import io.penstock.core.time.VirtualTime.Step;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * One run: a few processes work at one table, request by request, in an order that {@link Choices}
 * decide. After each request {@link Invariants} are checked.
 */
final class Schedule {
  /** A run that is given up, since it came to where another one has been. */
  static final class KnownStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Sees the state of a run before each step; returns true if it was seen before. */
  interface Memory {
    boolean isKnown(long state);
  }

  private static final Duration RENEWAL = Duration.ofSeconds(15);

  private final Choices choices;
  private final Memory memory;
  private final boolean isConditional;
  final CommitWorld world = new CommitWorld();
  final ObjectStore store;
  final List<Doing> all = new ArrayList<>();
  final Map<String, String> old;
  private final Actors actors = new Actors();
  private final List<Late> late = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final Set<Doing> paused = new HashSet<>();
  private final Set<Doing> dead = new HashSet<>();
  private final Map<String, Long> histories = new HashMap<>();
  private final Map<String, Long> lastAnswers = new HashMap<>();
  private final Invariants invariants;
  private final Set<Doing> expired = new HashSet<>();
  private final Set<Doing> everPaused = new HashSet<>();
  private boolean isHostile;
  private boolean hasRefused;
  private boolean hasAllPaused;
  private boolean allPaused;
  private boolean hasLanded;
  private int timers;
  private boolean isGivenUp;

  private record Late(String what, Step step) {}

  /**
   * @param old what the table holds at the beginning
   * @param isConditional whether the store honours the condition of a DELETE
   */
  Schedule(
      Choices choices,
      Memory memory,
      Map<String, String> old,
      boolean hasMarker,
      boolean isConditional,
      List<Doing> all)
      throws IOException {
    this.choices = choices;
    this.memory = memory;
    this.old = old;
    this.isConditional = isConditional;
    this.store = isConditional ? world.store : new UnconditionalDeletes(world.store);
    this.all.addAll(all);
    // A directory operation deletes the _SUCCESS that it has listed, or the one that is there now.
    boolean mayHitOther = !isConditional && all.stream().anyMatch(doing -> !doing.kind.isJob());
    all.forEach(doing -> doing.mayLackMarker |= mayHitOther);
    for (Map.Entry<String, String> object : old.entrySet()) {
      world.put(object.getKey(), object.getValue());
    }
    if (hasMarker) {
      world.put("t/_SUCCESS", "");
    }
    this.invariants = new Invariants(this);
  }

  Choices choices() {
    return choices;
  }

  boolean isConditional() {
    return isConditional;
  }

  /** From now on the store may refuse requests and confirm nothing. */
  void makeHostile() {
    isHostile = true;
    hasRefused = all.stream().anyMatch(Doing::lacksRight);
  }

  boolean isHostile() {
    return isHostile;
  }

  /** Notes that the store has refused a request, or refuses all of this process from now on. */
  void refused(Doing doing, boolean isForGood) {
    hasRefused = true;
    if (isForGood) {
      expired.add(doing);
    }
  }

  boolean hasExpired(Doing doing) {
    return expired.contains(doing);
  }

  /** Returns true if the store has refused a request. What was to be deleted then may stay. */
  boolean hasRefused() {
    return hasRefused;
  }

  boolean isInTimer() {
    return timers > 0;
  }

  void log(String line) {
    log.add(line);
  }

  List<String> log() {
    return log;
  }

  /** Returns true if a request for an intent has come so late that it looked like a dead job. */
  boolean hasLateIntents() {
    return hasLanded;
  }

  /** Returns true if no process has died, lost its credentials or stopped for minutes. */
  boolean isCalm() {
    return dead.isEmpty() && expired.isEmpty() && everPaused.isEmpty() && !hasAllPaused;
  }

  boolean isDead(Doing doing) {
    return dead.contains(doing);
  }

  boolean wasPaused(Doing doing) {
    return everPaused.contains(doing);
  }

  /** Runs a request, and remembers its answer as a part of what the process knows. */
  <T> T answered(Doing doing, Operation operation, String key, Request<T> request)
      throws IOException {
    String told = "nothing";
    try {
      T answer = request.run();
      told = withoutTimes(answer);
      return answer;
    } catch (IOException e) {
      told = e.getMessage();
      throw e;
    } finally {
      // Who waits, and asks again, has learned nothing if the answer is the same.
      long now = (operation + key + told).hashCode();
      if (!Long.valueOf(now).equals(lastAnswers.put(doing.id, now))) {
        histories.merge(doing.id, now, (before, last) -> before * 1_000_003L + last);
      }
    }
  }

  /** A request that is under way. */
  interface Request<T> {
    T run() throws IOException;
  }

  void requireGoing() {
    if (isGivenUp) {
      throw new KnownStateException();
    }
  }

  // ---- what goes wrong

  void late(String what, Step step) {
    late.add(new Late(what, step));
  }

  void lateBySeconds(String what, Step step) {
    Duration delay =
        Duration.ofMillis(
            (UnansweredWrites.SETTLING.toMillis() - 1) * (1 + choices.among(10)) / 10);
    world.time.after(delay, () -> land(new Late(what, step)));
  }

  private void land(Late one) {
    hasLanded |= one.what().contains("/_penstock_");
    log("late: " + one.what());
    try {
      one.step().run();
    } catch (IOException e) {
      log("  " + e.getMessage());
    }
  }

  /** This process alone stops for minutes; the others show that they live, and go on. */
  void pause(Doing doing, Actors.Actor self) {
    paused.add(doing);
    everPaused.add(doing);
    world.time.advance(Duration.ofSeconds(100));
    self.pause(5 + choices.among(20));
    requireGoing();
    paused.remove(doing);
  }

  /** All processes stop for minutes and wake up. */
  void pauseAll() {
    hasAllPaused = true;
    allPaused = true;
    world.time.advance(Duration.ofMinutes(3));
    allPaused = false;
  }

  void died(Doing doing) {
    dead.add(doing);
  }

  // ---- the processes

  /** Renews leases as time goes on, as a thread of each process does. */
  Leases leasesOf(Doing doing) {
    return renewal -> {
      boolean[] isOver = new boolean[1];
      boolean[] hasRenewed = new boolean[1];
      Step[] tick = new Step[1];
      tick[0] =
          () -> {
            if (isOver[0] || dead.contains(doing)) {
              return;
            }
            if (!paused.contains(doing) && !allPaused && !expired.contains(doing)) {
              hasRenewed[0] = true;
              timers++;
              try {
                renewal.run();
              } catch (IOException e) {
                log("renewal of " + doing.id + ": " + e.getMessage());
              } finally {
                timers--;
              }
            }
            world.time.after(RENEWAL, tick[0]);
          };
      world.time.after(RENEWAL, tick[0]);
      return () -> {
        isOver[0] = true;
        return hasRenewed[0];
      };
    };
  }

  /** Returns the time of one process. */
  Time timeOf(Actors.Actor self) {
    return new Time() {
      @Override
      public long nowNanos() {
        return world.time.nowNanos();
      }

      @Override
      public Instant now() {
        return world.time.now();
      }

      @Override
      public void sleep(Duration duration) throws InterruptedException {
        world.time.sleep(duration);
        if (choices.yieldsAtSleep()) {
          self.yieldOnce();
        }
      }
    };
  }

  ObjectStore storeOf(Doing doing, Actors.Actor self) {
    Wire wire = new Wire(store, this, self, doing);
    return LayeredStores.retrying(
        wire,
        world.unansweredWrites,
        RetryConfig.ofCommits(Settings.of(Map.of())),
        world.time,
        new SplittableRandom(doing.id.hashCode()));
  }

  private void add(Doing doing) throws IOException {
    List<TaskFile> files =
        doing.kind.isJob()
            ? world.write(doing.id, key -> doing.isInline(key), doing.keys.toArray(String[]::new))
            : List.of();
    actors.start(
        self -> {
          ObjectStore seen = storeOf(doing, self);
          doing.hasBegun = true;
          Outcome outcome;
          try {
            outcome = new Deeds(this, seen, timeOf(self), doing).run(files);
          } catch (KnownStateException e) {
            return;
          }
          doing.outcome = dead.contains(doing) ? Outcome.UNKNOWN : outcome;
          log(doing.id + " ends: " + doing.outcome);
          doing.hasEnded = !dead.contains(doing);
        });
  }

  // ---- the run

  void run() throws IOException {
    for (Doing doing : all) {
      add(doing);
    }
    List<Actors.Actor> ready = actors.ready();
    while (!ready.isEmpty()) {
      if (!isGivenUp && memory.isKnown(state())) {
        isGivenUp = true;
      }
      step(ready);
      if (!isGivenUp) {
        invariants.checkStep();
      }
      ready = actors.ready();
    }
    if (isGivenUp) {
      return;
    }
    world.time.advance(UnansweredWrites.SETTLING);
    while (!late.isEmpty() && choices.among(2) == 0) {
      land(late.remove(choices.among(late.size())));
    }
    invariants.checkEnd(
        () -> {
          while (!late.isEmpty()) {
            land(late.remove(late.size() - 1));
          }
        });
  }

  private void step(List<Actors.Actor> ready) {
    int landing = isGivenUp ? 0 : late.size();
    int weight = landing == 0 ? 1 : choices.weight();
    int choice = isGivenUp ? 0 : choices.among(ready.size() * weight + landing);
    if (choice < landing) {
      land(late.remove(choice));
    } else {
      actors.step(ready.get((choice - landing) % ready.size()));
    }
  }

  private static String withoutTimes(Object answer) {
    if (answer instanceof ListPage page) {
      return versions(page.objects());
    }
    if (answer instanceof ObjectMeta object) {
      return object.etag();
    }
    return answer instanceof ObjectSlice slice ? slice.meta().etag() : "" + answer;
  }

  private static String versions(List<ObjectMeta> objects) {
    return objects.stream().map(object -> object.key() + object.etag()).toList().toString();
  }

  /**
   * Returns a hash of all that matters for what comes, apart from the time: in schedules without
   * pauses, nobody waits so long that he takes another one for dead.
   */
  private long state() {
    return all.stream().map(doing -> doing.hasBegun + "" + doing.hasEnded).toList().hashCode() * 13L
        + histories.hashCode() * 1_000_003L
        + versions(world.store.list(ListRequest.flat("")).objects()).hashCode() * 31L
        + world.pending().hashCode() * 7L
        + late.stream().map(Late::what).sorted().toList().hashCode()
        + dead.size() * 17L;
  }

  /** A driver that comes when all is over, with a store that works. */
  long awaitedBy(String id, Kind kind, String... keys) throws IOException {
    Doing last = new Doing(id, kind, new TreeSet<>(List.of(keys)));
    all.add(last);
    long startNanos = world.time.nowNanos();
    last.outcome = new Deeds(this, store, world.time, last).run(world.write(id, key -> true, keys));
    return world.time.nowNanos() - startNanos;
  }
}
