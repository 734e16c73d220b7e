/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pacers of one process, for all its stores. Stores ask it before each request; whoever
 * coordinates processes takes its reports and brings leases. A group that nobody used for ten
 * minutes retires, and comes back with its store's next request.
 *
 * <p>All stores of a bucket share its groups, and wait for permits in one queue. When they come
 * with different configurations, that of the last one counts for all, but for the longest wait.
 */
public final class RateControl {
  private static final Logger LOG = LoggerFactory.getLogger(RateControl.class);

  private final Map<GroupId, Entry> groups = new ConcurrentHashMap<>();

  /** The configuration that counts for each group, also while it has retired. */
  private final Map<GroupId, RateConfig> latest = new ConcurrentHashMap<>();

  private final Idle idle = new Idle();

  private record Entry(RateConfig config, RateGroup group, FifoGates gates) {}

  /** The membership of one store in a group, which hides that groups retire and come back. */
  public final class Member {
    private final GroupId id;
    private volatile Entry entry;

    private Member(GroupId id, Entry entry) {
      this.id = id;
      this.entry = entry;
    }

    /** Returns the group for a request that is made now; ask anew for each request. */
    public RateGroup group(long nowNanos) {
      Entry known = entry;
      if (!known.group().use(nowNanos)) {
        known = enter(id, nowNanos);
        entry = known;
      }
      return known.group();
    }

    /** Returns the queues of the requests that wait for permits of the group. */
    FifoGates gates() {
      return entry.gates();
    }
  }

  /** Makes a store a member; the group is made anew when it comes with another configuration. */
  public Member join(GroupId id, RateConfig config, long nowNanos) {
    retireIdle(nowNanos);
    RateConfig before = latest.put(id, config);
    if (before != null && !before.hasRatesOf(config)) {
      groups.computeIfPresent(id, (same, entry) -> replaced(id, entry, config));
    }
    return new Member(id, enter(id, nowNanos));
  }

  /** The members of the old group find the new one with their next request. */
  private static Entry replaced(GroupId id, Entry old, RateConfig config) {
    LOG.warn(
        "s3://{} is opened with other settings of penstock.rate than before; from now on these"
            + " count for all of this process, but for the longest wait: {}",
        id.bucket(),
        config);
    old.group().retire();
    return new Entry(config, new RateGroup(config, id.traffic(), 1), old.gates());
  }

  private Entry enter(GroupId id, long nowNanos) {
    return groups.compute(
        id,
        (same, entry) -> {
          RateConfig config = latest.get(id);
          Entry entered =
              entry != null
                  ? entry
                  : new Entry(config, new RateGroup(config, id.traffic(), 1), new FifoGates());
          entered.group().use(nowNanos);
          return entered;
        });
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

  /**
   * Returns what was seen since the last call, without groups that saw nothing and are not limited.
   */
  public Map<GroupId, RateReport> report(long nowNanos) {
    retireIdle(nowNanos);
    Map<GroupId, RateReport> reports = new LinkedHashMap<>();
    groups.forEach(
        (id, entry) -> {
          RateReport report = entry.group().report(nowNanos);
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
