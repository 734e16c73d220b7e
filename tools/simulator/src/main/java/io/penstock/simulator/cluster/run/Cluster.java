/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RatePolicy;
import io.penstock.core.rate.report.Traffic;
import io.penstock.simulator.cluster.outcome.ClusterCounts;
import io.penstock.simulator.cluster.scenario.JobSpec;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** A cluster: its executors and the job that they run. */
final class Cluster {
  private final int number;
  private final JobSpec job;
  private final SendPolicy policy;
  private final boolean endless;
  private final Store store;
  private final EventQueue events;
  private final RateConfig config;
  private final SplittableRandom taskChance;
  private final SplittableRandom jitter;
  private final String[] keys;
  private final ClusterCounts tally = new ClusterCounts();
  private final List<Executor> executors = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final Deque<Worker> idle = new ArrayDeque<>();
  private final Deque<Task> tasks = new ArrayDeque<>();
  private int finishedTasks;
  private long finishedFiles;
  private long endNanos = -1;

  Cluster(
      int number,
      JobSpec job,
      SendPolicy policy,
      boolean endless,
      Store store,
      int prefixes,
      EventQueue events,
      SplittableRandom root) {
    this.number = number;
    this.job = job;
    this.policy = policy;
    this.endless = endless;
    this.store = store;
    this.events = events;
    this.config = RateConfig.defaults().withPolicy(ratePolicy(policy));
    this.taskChance = root.split();
    this.jitter = root.split();
    this.keys = keys(prefixes);
    for (int i = 0; i < job.tasks(); i++) {
      tasks.add(task(i));
    }
    join(job.executors(), job.start().plus(job.setup()).toNanos());
  }

  private static RatePolicy ratePolicy(SendPolicy policy) {
    return switch (policy) {
      case PENSTOCK, PENSTOCK_ALONE -> RatePolicy.ADAPTIVE;
      case AIMD -> RatePolicy.AIMD;
      case BACKOFF, SDK_ADAPTIVE, IDEAL -> RatePolicy.BACKOFF;
    };
  }

  private static String[] keys(int prefixes) {
    String[] keys = new String[prefixes];
    for (int i = 0; i < prefixes; i++) {
      keys[i] =
          prefixes == 1
              ? "table/part-00000.parquet"
              : String.format(Locale.ROOT, "table/day=%03d/part-00000.parquet", i);
    }
    return keys;
  }

  /** Creates a task. The files of the job are divided evenly among the tasks. */
  private Task task(int index) {
    long files = job.files();
    int own = (int) (files * (index + 1) / job.tasks() - files * index / job.tasks());
    return new Task(own, job.spread(), taskChance.split());
  }

  /** Adds this many executors. */
  void join(int count, long now) {
    int known = Math.max(job.executors(), executors.size() + count);
    for (int i = 0; i < count; i++) {
      Executor executor =
          new Executor("executor-" + executors.size(), policy, config, known, events);
      executors.add(executor);
      for (int core = 0; core < job.cores(); core++) {
        Worker worker = new Worker(this, executor, events);
        workers.add(worker);
        long delay = (long) (job.startSpread().toNanos() * taskChance.nextDouble());
        events.add(now + delay, worker::begin);
      }
    }
  }

  /**
   * Removes the executors that joined last and returns them. Other executors repeat their
   * unfinished tasks.
   */
  List<Executor> leave(int count, long now) {
    List<Executor> leaving =
        List.copyOf(executors.subList(Math.max(0, executors.size() - count), executors.size()));
    executors.removeAll(leaving);
    leaving.forEach(executor -> executor.goAway(now));
    for (Worker worker : workers) {
      if (leaving.contains(worker.executor()) && worker.task() != null) {
        tasks.addFirst(worker.task());
      }
    }
    workers.removeIf(worker -> leaving.contains(worker.executor()) && !worker.isInFlight());
    idle.removeIf(worker -> leaving.contains(worker.executor()));
    for (int i = Math.min(idle.size(), tasks.size()); i > 0; i--) {
      idle.poll().begin(now);
    }
    return leaving;
  }

  Task nextTask(Worker worker) {
    if (tasks.isEmpty() && endless) {
      return task(finishedTasks % job.tasks());
    }
    if (tasks.isEmpty()) {
      idle.add(worker);
    }
    return tasks.poll();
  }

  void finished(Task task, long now) {
    finishedTasks++;
    finishedFiles += task.files();
    if (finishedTasks == job.tasks() && !endless) {
      endNanos = now;
    }
  }

  String keyAt(int place) {
    return keys[store.prefixOf(place)];
  }

  /**
   * Returns the requests per second that all executors together may send. Negative when an executor
   * has no limit.
   */
  double allowed() {
    Traffic main = job.files() > 0 ? Traffic.WRITE : Traffic.READ;
    double allowed = 0;
    for (Executor executor : executors) {
      allowed += executor.pacer(main, keys[0]).rate();
    }
    return Double.isInfinite(allowed) ? -1 : allowed;
  }

  int waiting() {
    return executors.stream().mapToInt(Executor::waiting).sum();
  }

  int number() {
    return number;
  }

  JobSpec job() {
    return job;
  }

  SendPolicy policy() {
    return policy;
  }

  Store store() {
    return store;
  }

  RateConfig config() {
    return config;
  }

  SplittableRandom jitter() {
    return jitter;
  }

  ClusterCounts tally() {
    return tally;
  }

  List<Executor> executors() {
    return executors;
  }

  boolean isEndless() {
    return endless;
  }

  boolean isDone() {
    return endNanos >= 0;
  }

  double seconds() {
    return (endNanos - job.start().toNanos()) / 1e9;
  }

  /** Throws if the counts of requests, tasks or files are inconsistent. */
  void audit() {
    long inFlight = workers.stream().filter(Worker::isInFlight).count();
    long answered = tally.okAll() + tally.throttledAll();
    if (tally.sentAll() != answered + inFlight) {
      throw new IllegalStateException(
          "%d sent, %d answered, %d in flight".formatted(tally.sentAll(), answered, inFlight));
    }
    long running = workers.stream().filter(w -> w.task() != null && !w.executor().isGone()).count();
    if (!endless && tasks.size() + running + finishedTasks != job.tasks()) {
      throw new IllegalStateException(
          "%d tasks waiting, %d running, %d done of %d"
              .formatted(tasks.size(), running, finishedTasks, job.tasks()));
    }
    if (isDone() && finishedFiles != job.files()) {
      throw new IllegalStateException(finishedFiles + " files of " + job.files());
    }
  }
}
