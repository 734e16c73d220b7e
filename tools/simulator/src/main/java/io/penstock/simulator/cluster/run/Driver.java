/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.core.rate.cluster.ClusterGroup;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.Traffic;
import io.penstock.simulator.cluster.scenario.Disturbances;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The driver of a cluster: receives the executors' reports and grants rate leases. */
final class Driver {
  private final Cluster cluster;
  private final Disturbances troubles;
  private final EventQueue events;
  private final SplittableRandom chance;
  private final long period;
  private final List<Traffic> traffics = new ArrayList<>();
  private List<ClusterGroup> groups;
  private boolean wasDown;

  Driver(Cluster cluster, Disturbances troubles, EventQueue events, SplittableRandom chance) {
    this.cluster = cluster;
    this.troubles = troubles;
    this.events = events;
    this.chance = chance;
    this.period = cluster.config().reportPeriod().toNanos();
    if (cluster.job().files() > 0) {
      traffics.add(Traffic.WRITE);
    }
    if (cluster.job().reads() > 0) {
      traffics.add(Traffic.READ);
    }
    this.groups = groups();
    long start = cluster.job().start().toNanos();
    cluster.executors().forEach(executor -> welcome(executor, start));
    events.add(start + period, this::tick);
  }

  private List<ClusterGroup> groups() {
    return traffics.stream().map(traffic -> new ClusterGroup(cluster.config(), traffic)).toList();
  }

  /**
   * Starts the reports of an executor. The first report comes at a random time within one period.
   */
  void welcome(Executor executor, long now) {
    events.add(now + (long) (period * chance.nextDouble()), at -> report(executor, at));
  }

  void forget(Executor executor) {
    groups.forEach(group -> group.forget(executor.name()));
  }

  private void report(Executor executor, long now) {
    if (executor.isGone()) {
      return;
    }
    boolean lost = isDown(now) || chance.nextDouble() < troubles.lostReports();
    for (int i = 0; i < traffics.size(); i++) {
      var report = executor.report(traffics.get(i), now);
      if (!lost) {
        groups.get(i).report(executor.name(), report, now);
      }
    }
    events.add(now + period, at -> report(executor, at));
  }

  private void tick(long now) {
    events.add(now + period, this::tick);
    if (isDown(now)) {
      wasDown = true;
      return;
    }
    if (wasDown) {
      groups = groups();
      wasDown = false;
    }
    for (int i = 0; i < traffics.size(); i++) {
      Traffic traffic = traffics.get(i);
      var leases = groups.get(i).lease(now);
      for (Executor executor : cluster.executors()) {
        Lease lease = leases.get(executor.name());
        if (lease != null) {
          events.add(
              now + troubles.leaseDelay().toNanos(), at -> executor.follow(traffic, lease, at));
        }
      }
    }
  }

  private boolean isDown(long now) {
    long down = troubles.driverDownAt().toNanos();
    return down >= 0 && now >= down && now < down + troubles.driverDownFor().toNanos();
  }
}
