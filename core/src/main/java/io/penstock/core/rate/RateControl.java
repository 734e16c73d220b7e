/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The pacers of one process, for all its stores. A store gets a pacer here before each request. The
 * code that coordinates the processes takes the reports from here and delivers leases. A group that
 * is unused for ten minutes is removed; the next request of its store creates it again.
 *
 * <p>All stores of a bucket share its groups, and their requests wait for permits in one queue. If
 * the stores have different configurations, the newest one applies to all of them, except for the
 * longest wait: there each store keeps its own.
 *
 * <p>Safe for use by many threads. Times are nanoseconds of one monotonic clock.
 */
public final class RateControl {
  private static final Logger LOG = LoggerFactory.getLogger(RateControl.class);

  private final Map<GroupId, Entry> groups = new ConcurrentHashMap<>();

  /** The configuration that applies to each group, also while the group is retired. */
  private final Map<GroupId, Chosen> latest = new ConcurrentHashMap<>();

  private final Idle idle = new Idle();
  private volatile boolean led;

  /**
   * A configuration.
   *
   * @param isOfGuest whether it only fills the place of one that a store may bring
   */
  private record Chosen(RateConfig config, boolean isOfGuest) {}

  private record Entry(RateConfig config, RateGroup group, FifoGates gates) {}

  /**
   * The membership of one store in a group. The store does not notice that groups retire and come
   * back.
   */
  public final class Member {
    private final GroupId id;
    private volatile Entry entry;

    private Member(GroupId id, Entry entry) {
      this.id = id;
      this.entry = entry;
    }

    /** Returns the group for a request that is made now. Must be called again for each request. */
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

  /**
   * Makes a store a member of the group. If the store's configuration differs, a new group replaces
   * the old one.
   */
  public Member join(GroupId id, RateConfig config, long nowNanos) {
    retireIdle(nowNanos);
    Chosen before = latest.put(id, new Chosen(config, false));
    if (before != null && !before.config().hasRatesOf(config)) {
      groups.computeIfPresent(id, (same, entry) -> replaced(id, entry, config, before.isOfGuest()));
    }
    return new Member(id, enter(id, nowNanos));
  }

  /**
   * Makes requests that another client sends members of the group, with the configuration that it
   * has; if there is no group yet, with this one, until a store joins.
   */
  public Member joinAsGuest(GroupId id, RateConfig config, long nowNanos) {
    retireIdle(nowNanos);
    var unused = latest.putIfAbsent(id, new Chosen(config, true));
    return new Member(id, enter(id, nowNanos));
  }

  /** Replaces a group. The members of the old group get the new one at their next request. */
  private Entry replaced(GroupId id, Entry old, RateConfig config, boolean isOfGuest) {
    LOG.atLevel(isOfGuest ? Level.DEBUG : Level.WARN)
        .log(
            "s3://{} was opened with other penstock.rate settings than before. The new settings now"
                + " apply to the whole process, except for the longest wait for a permit: {}",
            id.bucket(),
            config);
    old.group().retire();
    return new Entry(config, group(id, config), old.gates());
  }

  private Entry enter(GroupId id, long nowNanos) {
    return groups.compute(
        id,
        (same, entry) -> {
          RateConfig config = latest.get(id).config();
          Entry entered =
              entry != null ? entry : new Entry(config, group(id, config), new FifoGates());
          entered.group().use(nowNanos);
          return entered;
        });
  }

  private RateGroup group(GroupId id, RateConfig config) {
    return new RateGroup(config, id.traffic(), 1, led);
  }

  /**
   * Records that a driver divides the limits of the application from now on. Called before the
   * first request.
   */
  public void led() {
    led = true;
  }

  private void retireIdle(long nowNanos) {
    if (idle.isLookDue(nowNanos)) {
      // Inside computeIfPresent no other thread can reach a group that is about to retire.
      groups
          .keySet()
          .forEach(
              id ->
                  groups.computeIfPresent(
                      id, (same, entry) -> entry.group().retires(nowNanos) ? null : entry));
    }
  }

  /** Returns the number of groups. */
  int size() {
    return groups.size();
  }

  /** Returns the prefix of the partition that the key belongs to now; empty if none is known. */
  public String partitionOf(GroupId id, String key) {
    Entry entry = groups.get(id);
    return entry == null ? "" : entry.group().partitionOf(key);
  }

  /**
   * Returns the counts since the last call. Groups without requests and without a cap are left out.
   */
  public Map<GroupId, RateReport> report(long nowNanos) {
    retireIdle(nowNanos);
    Map<GroupId, RateReport> reports = new LinkedHashMap<>();
    groups.forEach(
        (id, entry) -> {
          RateGroup group = entry.group();
          RateReport report = group.report(nowNanos);
          if (report.isWorthSending() || group.isLimited() || group.needsShare()) {
            reports.put(id, report);
          }
        });
    return reports;
  }

  /**
   * Follows the leases. Each lease is valid for the time that its group's configuration sets.
   * Leases for groups that this process does not have are ignored.
   *
   * @param nowNanos the time from which the leases count: that of the report which they answer
   */
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

  /**
   * Returns the requests a second that are allowed, by group and partition; infinite where there is
   * no cap.
   */
  public Map<GroupId, Map<String, Double>> rates() {
    Map<GroupId, Map<String, Double>> rates = new LinkedHashMap<>();
    groups.forEach((id, entry) -> rates.put(id, entry.group().rates()));
    return rates;
  }
}
