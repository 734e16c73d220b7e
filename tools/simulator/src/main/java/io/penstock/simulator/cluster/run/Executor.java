/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateGroup;
import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.Traffic;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One executor of a cluster, with the deciders used in production. */
final class Executor {
  private final String name;
  private final EventQueue events;
  private final RateConfig config;
  private final Pacer sdk;
  private final Map<Traffic, RateGroup> groups = new EnumMap<>(Traffic.class);
  private final Map<Traffic, Map<String, Gate>> gates = new EnumMap<>(Traffic.class);
  private final List<Gate> gatesInOrder = new ArrayList<>();
  private boolean gone;

  Executor(String name, SendPolicy policy, RateConfig config, int executors, EventQueue events) {
    this.name = name;
    this.events = events;
    this.config = config;
    this.sdk = policy == SendPolicy.SDK_ADAPTIVE ? new SdkAdaptivePacer() : null;
    for (Traffic traffic : Traffic.values()) {
      gates.put(traffic, new HashMap<>());
      groups.put(traffic, new RateGroup(config, traffic, executors));
    }
  }

  String name() {
    return name;
  }

  boolean isGone() {
    return gone;
  }

  /** Returns the gate for requests to the pacer's partition. */
  Gate gate(Traffic traffic, Pacer pacer) {
    return gates
        .get(traffic)
        .computeIfAbsent(
            pacer.partition(),
            partition -> {
              Gate gate = new Gate(events);
              gatesInOrder.add(gate);
              return gate;
            });
  }

  Pacer pacer(Traffic traffic, String key) {
    return sdk == null ? groups.get(traffic).pacerOf(key) : sdk;
  }

  RateReport report(Traffic traffic, long now) {
    return groups.get(traffic).report(now);
  }

  void follow(Traffic traffic, Lease lease, long now) {
    if (gone) {
      return;
    }
    groups.get(traffic).follow(lease, now, config.lease());
    gatesInOrder.forEach(gate -> gate.ask(now));
  }

  int waiting() {
    int waiting = 0;
    for (Gate gate : gatesInOrder) {
      waiting += gate.waiting();
    }
    return waiting;
  }

  void goAway(long now) {
    gone = true;
    gatesInOrder.forEach(gate -> gate.clear(now));
  }
}
