/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pacers of one process, for all its stores. Stores ask it before each request; whoever
 * coordinates processes takes its reports and brings leases.
 */
public final class RateControl {
  private static final RateControl PROCESS = new RateControl();

  private final Map<GroupId, Entry> groups = new ConcurrentHashMap<>();

  private record Entry(RateConfig config, RateGroup group) {}

  /** The one of this process. */
  public static RateControl process() {
    return PROCESS;
  }

  /** The group's pacers; made anew when the bucket is opened with another configuration. */
  public RateGroup group(GroupId id, RateConfig config) {
    return groups
        .compute(
            id,
            (same, entry) ->
                entry != null && entry.config().equals(config)
                    ? entry
                    : new Entry(config, new RateGroup(config, id.traffic(), 1)))
        .group();
  }

  /** Returns the prefix of the partition that the key belongs to now; empty when none is known. */
  public String partitionOf(GroupId id, String key) {
    Entry entry = groups.get(id);
    return entry == null ? "" : entry.group().partitionOf(key);
  }

  /** What was seen since the last call, without groups that saw nothing and are not limited. */
  public Map<GroupId, Report> report(long nowNanos) {
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
