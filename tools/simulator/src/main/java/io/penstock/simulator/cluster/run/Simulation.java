/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.simulator.cluster.outcome.Api;
import io.penstock.simulator.cluster.outcome.ClusterCounts;
import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.outcome.SecondSeries;
import io.penstock.simulator.cluster.scenario.Disturbances;
import io.penstock.simulator.cluster.scenario.JobSpec;
import io.penstock.simulator.cluster.scenario.RivalSpec;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import io.penstock.simulator.cluster.scenario.StormSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * One run of a scenario under a policy. The same scenario, policy and seed always give the same
 * outcome.
 */
public final class Simulation {
  private static final long SECOND = 1_000_000_000;

  private final Scenario scenario;
  private final SendPolicy policy;
  private final long seed;
  private final EventQueue events = new EventQueue();
  private final List<Cluster> clusters = new ArrayList<>();
  private final List<Double> allowed = new ArrayList<>();
  private final List<Integer> waiting = new ArrayList<>();
  private final Store store;
  private double jain = -1;

  public Simulation(Scenario scenario, SendPolicy policy, long seed) {
    this.scenario = scenario;
    this.policy = policy;
    this.seed = seed;
    SplittableRandom root = new SplittableRandom(seed);
    RivalSpec rivals = scenario.rivals();
    this.store =
        new Store(scenario, policy == SendPolicy.IDEAL, rivals.count() + 1, events, root.split());
    add(scenario.job(), policy, false, root.split());
    boolean twins = rivals.policy() == null;
    // The oracle divides the rate among all clusters, so all of them must queue.
    SendPolicy theirs = twins || policy == SendPolicy.IDEAL ? policy : rivals.policy();
    for (int i = 0; i < rivals.count(); i++) {
      JobSpec job = twins ? scenario.job() : scenario.job().on(rivals.executors(), rivals.cores());
      add(job.startingAt(rivals.start()), theirs, !twins, root.split());
    }
    events.add(0, this::sample);
  }

  private void add(JobSpec job, SendPolicy of, boolean endless, SplittableRandom root) {
    int prefixes = scenario.store().prefixes();
    Cluster cluster =
        new Cluster(clusters.size(), job, of, endless, store, prefixes, events, root.split());
    clusters.add(cluster);
    Disturbances troubles = scenario.troubles();
    Driver driver =
        of == SendPolicy.PENSTOCK ? new Driver(cluster, troubles, events, root.split()) : null;
    if (cluster.number() > 0) {
      return;
    }
    if (troubles.joining() > 0) {
      events.add(troubles.joinAt().toNanos(), now -> join(cluster, driver, now));
    }
    if (troubles.leaving() > 0) {
      events.add(troubles.leaveAt().toNanos(), now -> leave(cluster, driver, now));
    }
  }

  private void join(Cluster cluster, Driver driver, long now) {
    int before = cluster.executors().size();
    cluster.join(scenario.troubles().joining(), now);
    if (driver != null) {
      List<Executor> all = cluster.executors();
      all.subList(before, all.size()).forEach(executor -> driver.welcome(executor, now));
    }
  }

  private void leave(Cluster cluster, Driver driver, long now) {
    List<Executor> left = cluster.leave(scenario.troubles().leaving(), now);
    if (driver != null) {
      left.forEach(driver::forget);
    }
  }

  private void sample(long now) {
    allowed.add(clusters.get(0).allowed());
    waiting.add(clusters.get(0).waiting());
    events.add(now + SECOND, this::sample);
  }

  /** Runs the simulation to its end. */
  public ClusterOutcome run() {
    while (step()) {}
    return outcome();
  }

  /** Runs one event. Returns false when the simulation has ended. */
  boolean step() {
    if (isOver()) {
      return false;
    }
    events.next();
    if (jain < 0 && clusters.size() > 1 && clusters.stream().anyMatch(Cluster::isDone)) {
      jain = jain();
    }
    return true;
  }

  private boolean isOver() {
    return events.nowNanos() > scenario.limit().toNanos()
        || clusters.stream().allMatch(cluster -> cluster.isEndless() || cluster.isDone());
  }

  /** Computes Jain's fairness index from the requests that each cluster was served so far. */
  private double jain() {
    double sum = 0;
    double squares = 0;
    for (Cluster cluster : clusters) {
      double served = cluster.tally().okAll();
      sum += served;
      squares += served * served;
    }
    return squares == 0 ? 1 : sum * sum / (clusters.size() * squares);
  }

  private ClusterOutcome outcome() {
    ClusterCounts tally = clusters.get(0).tally();
    boolean finished = clusters.get(0).isDone();
    double seconds =
        clusters.stream()
            .filter(cluster -> !cluster.isEndless())
            .mapToDouble(
                cluster ->
                    cluster.isDone() ? cluster.seconds() : (double) events.nowNanos() / SECOND)
            .average()
            .orElseThrow();
    return new ClusterOutcome(
        scenario.name(),
        policy,
        seed,
        finished,
        seconds,
        byApi(tally::sent),
        byApi(tally::throttled),
        tally.failedRequests(),
        clusters.size() == 1 ? 1 : jain < 0 ? jain() : jain,
        series(tally),
        storm(tally));
  }

  private ClusterOutcome.Storm storm(ClusterCounts tally) {
    StormSpec storm = scenario.store().storm();
    if (!storm.comes()) {
      return ClusterOutcome.Storm.NONE;
    }
    int begin = (int) storm.at().toSeconds();
    int end = (int) (storm.endNanos() / SECOND);
    double before = perSecond(tally.okPerSecond(), begin / 2, begin);
    double within = perSecond(tally.okPerSecond(), begin, end);
    return new ClusterOutcome.Storm(
        before == 0 ? 0 : within / before, (double) tally.longestSleepIntoCalmNanos() / SECOND);
  }

  private static double perSecond(int[] counts, int from, int to) {
    return Arrays.stream(counts, Math.min(from, counts.length), Math.min(to, counts.length)).sum()
        / (double) Math.max(1, to - from);
  }

  private SecondSeries series(ClusterCounts tally) {
    return new SecondSeries(
        padded(tally.sentPerSecond()),
        padded(tally.okPerSecond()),
        padded(tally.throttledPerSecond()),
        allowed,
        waiting);
  }

  /** Extends the series to one value for each second of the run. */
  private List<Integer> padded(int[] values) {
    List<Integer> list = new ArrayList<>();
    for (int second = 0; second < allowed.size(); second++) {
      list.add(second < values.length ? values[second] : 0);
    }
    return list;
  }

  private static Map<Api, Long> byApi(ToLongFunction<Api> count) {
    Map<Api, Long> counts = new EnumMap<>(Api.class);
    for (Api api : Api.values()) {
      counts.put(api, count.applyAsLong(api));
    }
    return counts;
  }

  /** Throws if the counts of requests, tasks, files or tokens are inconsistent. */
  void audit() {
    clusters.forEach(Cluster::audit);
    store.audit();
  }
}
