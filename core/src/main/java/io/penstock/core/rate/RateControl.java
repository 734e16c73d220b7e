/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pacers of one process, for all its stores. Stores ask it before each request; whoever
 * coordinates processes takes its reports and brings leases. A group that nobody used for ten
 * minutes retires, and comes back with its store's next request.
 */
public final class RateControl {
  private static final RateControl PROCESS = new RateControl();

  private final Map<GroupId, Entry> groups = new ConcurrentHashMap<>();
  private final Idle idle = new Idle();

  private record Entry(RateConfig config, RateGroup group) {}

  /** The one of this process. */
  public static RateControl process() {
    return PROCESS;
  }

  /** The membership of one store in a group, which hides that groups retire and come back. */
  public final class Member {
    private final GroupId id;
    private final RateConfig config;
    private volatile RateGroup group;

    private Member(GroupId id, RateConfig config, RateGroup group) {
      this.id = id;
      this.config = config;
      this.group = group;
    }

    /** Returns the group for a request that is made now; ask anew for each request. */
    public RateGroup group(long nowNanos) {
      RateGroup known = group;
      if (!known.use(nowNanos)) {
        known = enter(id, config, nowNanos);
        group = known;
      }
      return known;
    }
  }

  /** Makes a store a member; the group is made anew when it comes with another configuration. */
  public Member join(GroupId id, RateConfig config, long nowNanos) {
    retireIdle(nowNanos);
    return new Member(id, config, enter(id, config, nowNanos));
  }

  private RateGroup enter(GroupId id, RateConfig config, long nowNanos) {
    Entry entered =
        groups.compute(
            id,
            (same, entry) -> {
              Entry kept =
                  entry != null && entry.config().equals(config)
                      ? entry
                      : new Entry(config, new RateGroup(config, id.traffic(), 1));
              kept.group().use(nowNanos);
              return kept;
            });
    return entered.group();
  }

  private void retireIdle(long nowNanos) {
    if (idle.isLookDue(nowNanos)) {
      // Inside of compute nobody can get at a group that is about to retire.
      groups
          .keySet()
          .forEach(
              id ->
                  groups.computeIfPresent(
                      id, (same, entry) -> entry.group().retires(nowNanos) ? null : entry));
    }
  }

  /** Returns how many groups are here. */
  int size() {
    return groups.size();
  }

  /** Returns the prefix of the partition that the key belongs to now; empty when none is known. */
  public String partitionOf(GroupId id, String key) {
    Entry entry = groups.get(id);
    return entry == null ? "" : entry.group().partitionOf(key);
  }

  /** What was seen since the last call, without groups that saw nothing and are not limited. */
  public Map<GroupId, Report> report(long nowNanos) {
    retireIdle(nowNanos);
    Map<GroupId, Report> reports = new LinkedHashMap<>();
    groups.forEach(
        (id, entry) -> {
          Report report = entry.group().report(nowNanos);
          if (report.isWorthSending() || entry.group().isLimited()) {
            reports.put(id, report);
          }
        });
    return reports;
  }

  /** Follows leases, each for its configuration's time. */
  public void follow(Map<GroupId, Lease> leases, long nowNanos) {
    leases.forEach(
        (id, lease) -> {
          Entry entry = groups.get(id);
          if (entry != null) {
            Duration validFor = entry.config().lease();
            entry.group().follow(lease, nowNanos, validFor);
          }
        });
  }

  /** Requests a second that are allowed, by group and partition; infinite where nothing limits. */
  public Map<GroupId, Map<String, Double>> rates() {
    Map<GroupId, Map<String, Double>> rates = new LinkedHashMap<>();
    groups.forEach((id, entry) -> rates.put(id, entry.group().rates()));
    return rates;
  }
}
