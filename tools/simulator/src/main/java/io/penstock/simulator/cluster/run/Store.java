/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.core.rate.report.Traffic;
import io.penstock.simulator.cluster.outcome.Api;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.StoreSpec;
import io.penstock.simulator.cluster.scenario.StormSpec;
import io.penstock.simulator.cluster.scenario.TenantSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The modelled S3: maps keys to partitions. */
final class Store {
  private final StoreSpec spec;
  private final TenantSpec tenant;
  private final boolean ideal;
  private final int clusters;
  private final EventQueue events;
  private final SplittableRandom frontEndChance;
  private final SplittableRandom tenantChance;
  private final SplittableRandom stormChance;
  private final LatencyTable latency;

  /**
   * The partitions by kind of traffic and key range. A range has several partitions after a split.
   */
  private final Map<Traffic, List<List<Partition>>> partitions = new EnumMap<>(Traffic.class);

  Store(Scenario scenario, boolean ideal, int clusters, EventQueue events, SplittableRandom root) {
    this.spec = scenario.store();
    this.tenant = scenario.tenant();
    this.ideal = ideal;
    this.clusters = clusters;
    this.events = events;
    this.frontEndChance = root.split();
    this.tenantChance = root.split();
    this.stormChance = root.split();
    this.latency = new LatencyTable(spec.latency());
    int ranges = spec.apart() ? spec.prefixes() : 1;
    for (Traffic traffic : Traffic.values()) {
      List<List<Partition>> ofTraffic = new ArrayList<>();
      for (int range = 0; range < ranges; range++) {
        ofTraffic.add(made(traffic, range, 1, 0));
      }
      partitions.put(traffic, ofTraffic);
    }
    spec.splits().forEach(when -> events.add(when.toNanos(), this::split));
  }

  private List<Partition> made(Traffic traffic, int range, int count, long now) {
    int width = ideal ? 1 : spec.frontEnds();
    double limit = traffic == Traffic.WRITE ? spec.writes() : spec.reads();
    // Other tenants use only the first partition. Their load is divided when the partition splits.
    TenantSpec others =
        range == 0
            ? new TenantSpec(tenant.share() / count, tenant.on(), tenant.off())
            : TenantSpec.NONE;
    List<Partition> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FrontEndBucket[] buckets = new FrontEndBucket[width];
      for (int j = 0; j < width; j++) {
        buckets[j] =
            new FrontEndBucket(limit / width, spec, others, tenantChance.split(), ideal, now / 1e9);
      }
      made.add(new Partition(buckets, frontEndChance, events, clusters));
    }
    return made;
  }

  private void split(long now) {
    for (Traffic traffic : Traffic.values()) {
      List<List<Partition>> ranges = partitions.get(traffic);
      for (int range = 0; range < ranges.size(); range++) {
        ranges.set(range, made(traffic, range, 2 * ranges.get(range).size(), now));
      }
    }
  }

  /** Returns true if a storm rejects the current request. */
  boolean isStruck(long now) {
    return spec.storm().isOn(now) && stormChance.nextDouble() < spec.storm().share();
  }

  StormSpec storm() {
    return spec.storm();
  }

  /** Returns the prefix of the files at this place. */
  int prefixOf(int place) {
    if (spec.prefixes() == 1) {
      return 0;
    }
    double at = (place & 0xFFFF) / 65_536.0;
    if (spec.hotShare() == 0) {
      return (int) (at * spec.prefixes());
    }
    return at < spec.hotShare()
        ? 0
        : 1 + (int) ((at - spec.hotShare()) / (1 - spec.hotShare()) * (spec.prefixes() - 1));
  }

  Partition partitionOf(Traffic traffic, int place) {
    List<Partition> range = partitions.get(traffic).get(spec.apart() ? prefixOf(place) : 0);
    return range.get((place >>> 16) % range.size());
  }

  double cost(Api api) {
    return api == Api.COMPLETE ? spec.completeCost() : 1;
  }

  long latency(SplittableRandom chance) {
    return latency.sample(chance);
  }

  /** Throws when the debt of a partition is above its limit, or its tokens are above its burst. */
  void audit() {
    partitions.values().forEach(ranges -> ranges.forEach(range -> range.forEach(Partition::audit)));
  }
}
