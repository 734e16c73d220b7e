/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.RateGroup;
import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Repeat;
import io.penstock.core.time.VirtualTime;
import io.penstock.spark.heartbeat.DriverHeartbeat;
import io.penstock.spark.heartbeat.ExecutorHeartbeat;
import io.penstock.spark.heartbeat.ExecutorHeartbeat.Asking;
import io.penstock.spark.heartbeat.Section;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Executors that always have something to write, a store that takes so many writes a second, and a
 * driver, all under virtual time in one thread. The bytes of the messages are the real ones.
 */
final class SimulatedCluster {
  static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);
  private static final RateConfig CONFIG = RateConfig.defaults();
  private static final Duration TICK = Duration.ofMillis(5);
  private static final long ANSWER_NANOS = 50_000_000;
  private static final long REJECT_NANOS = 20_000_000;
  private static final int WORKERS = 60;

  final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final double capacity;
  private double tokens;
  private RateCoordinator coordinator;

  /** Between a node and the driver; the given one is faultless. */
  UnaryOperator<Asking> link = driver -> driver;

  long ok;
  long throttled;

  SimulatedCluster(double writesPerSecond) {
    capacity = writesPerSecond;
    restartDriver();
  }

  void restartDriver() {
    coordinator = new RateCoordinator(bucket -> CONFIG, time);
  }

  void join(String executor) {
    nodes.put(executor, new Node(executor));
  }

  /** The process is gone and Spark has noticed. */
  void leave(String executor) {
    nodes.remove(executor);
    coordinator.forget(executor);
  }

  void run(Duration duration) {
    long end = time.nowNanos() + duration.toNanos();
    while (time.nowNanos() < end) {
      time.advance(TICK);
      tokens = Math.min(capacity / 4, tokens + capacity * TICK.toNanos() / 1e9);
      for (Node node : new ArrayList<>(nodes.values())) {
        node.tick(time.nowNanos());
      }
    }
  }

  private boolean accepts() {
    if (tokens >= 1) {
      tokens--;
      ok++;
      return true;
    }
    throttled++;
    return false;
  }

  void resetCounts() {
    ok = 0;
    throttled = 0;
    nodes.values().forEach(node -> node.sent = 0);
  }

  double throttledShare() {
    return (double) throttled / Math.max(1, ok + throttled);
  }

  long sentBy(String executor) {
    return nodes.get(executor).sent;
  }

  /** What the processes think that they may send, all together. */
  double allowed() {
    return nodes.values().stream().mapToDouble(node -> node.group.rates().get("")).sum();
  }

  double allowed(String executor) {
    return nodes.get(executor).group.rates().get("");
  }

  double allowedByDriver() {
    return coordinator.rates().getOrDefault(WRITES, Map.of()).getOrDefault("", 0.0);
  }

  /** One process. */
  private final class Node {
    final RateControl control = new RateControl();
    final RateGroup group = control.join(WRITES, CONFIG, time.nowNanos()).group(time.nowNanos());
    final ExecutorHeartbeat heartbeat;
    final List<Worker> workers = new ArrayList<>();
    long sent;
    long nextRoundNanos;
    boolean isAsking;

    Node(String executor) {
      Asking faultless = message -> new DriverHeartbeat(List.of(coordinator)).receive(message);
      Section rates =
          new RateParticipant(control, time, CONFIG.reportPeriod(), CONFIG.lease(), () -> {});
      heartbeat =
          new ExecutorHeartbeat(
              executor, List.of(rates), message -> link.apply(faultless).ask(message), time);
      nextRoundNanos = time.nowNanos() + CONFIG.reportPeriod().toNanos();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(new Worker());
      }
    }

    void tick(long now) {
      Pacer pacer = group.pacerOf("table/part-0");
      for (Worker worker : workers) {
        worker.tick(this, pacer, now);
      }
      if (!isAsking && now >= nextRoundNanos) {
        isAsking = true;
        try {
          heartbeat.beat();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        isAsking = false;
        nextRoundNanos = time.nowNanos() + CONFIG.reportPeriod().toNanos();
      }
    }
  }

  /** One thread that writes, again after a throttled answer, and so on. */
  private final class Worker {
    private boolean hasArrived;
    private boolean isAccepted;
    private long sentNanos;
    private long answerNanos = Long.MAX_VALUE;
    private long readyNanos;
    private int failures;

    void tick(Node node, Pacer pacer, long now) {
      if (now >= answerNanos) {
        answerNanos = Long.MAX_VALUE;
        pacer.answered(sentNanos, now, 1, !isAccepted);
        failures = isAccepted ? 0 : failures + 1;
        double first = pacer.repeat() == Repeat.SHORTLY ? 0.05 : 0.5;
        double seconds = isAccepted ? 0 : first * Math.min(16, 1 << Math.min(4, failures - 1));
        readyNanos = now + (long) (seconds * 1e9);
      }
      if (answerNanos == Long.MAX_VALUE && now >= readyNanos) {
        if (!hasArrived) {
          pacer.arrive(now);
          hasArrived = true;
        }
        if (pacer.take(now, 1) == 0) {
          hasArrived = false;
          sentNanos = now;
          node.sent++;
          isAccepted = accepts();
          answerNanos = now + (isAccepted ? ANSWER_NANOS : REJECT_NANOS);
        }
      }
    }
  }
}
