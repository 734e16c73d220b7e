/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.aimd.AimdPacer;
import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Repeat;
import io.penstock.core.request.WaitingGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One process's view of the partitions of a bucket for one kind of traffic: the partition that each
 * key belongs to, and the rate of each partition. All keys are assumed to be in one partition until
 * throttled answers show different partitions. A plain object, safe for use by many threads. Reads
 * no clock; times are nanoseconds of one monotonic clock.
 */
public final class RateGroup {
  /** Answers are counted by prefix for this long after a throttled answer. */
  private static final double LOCATE_SECONDS = 30;

  private final RateConfig config;
  private final Traffic traffic;
  private final PrefixCounts counts = new PrefixCounts();
  private final Map<String, AdaptivePacer> partitions = new TreeMap<>();
  private final Pacer root;
  private final Optional<Ceiling> ceiling;

  private volatile List<String> prefixes = List.of();
  private volatile double locateUntil = Double.NEGATIVE_INFINITY;
  private volatile double leasedUntil = Double.NEGATIVE_INFINITY;
  private volatile long usedNanos;
  private volatile boolean retired;
  private double reviewed;
  private int executors;

  /**
   * @param executors number of executors that share the bucket, as far as it is known; at least 1
   */
  public RateGroup(RateConfig config, Traffic traffic, int executors) {
    this(config, traffic, executors, false);
  }

  /**
   * @param isLed whether a driver gives leases
   */
  RateGroup(RateConfig config, Traffic traffic, int executors, boolean isLed) {
    this.config = config;
    this.traffic = traffic;
    this.executors = executors;
    this.root =
        switch (config.policy()) {
          case ADAPTIVE -> adaptive();
          case AIMD -> new AimdPacer(config.aimd(), traffic);
          case BACKOFF, NONE -> new OpenPacer();
        };
    this.ceiling = config.isLimited() ? Optional.of(new Ceiling(config, isLed)) : Optional.empty();
  }

  private AdaptivePacer adaptive() {
    AdaptivePacer pacer = new AdaptivePacer(config.minRate(), floor());
    pacer.growTo(Math.min(config.maxRate(), config.clusterMaxRate()));
    return pacer;
  }

  private double floor() {
    return Math.max(config.minRate(), traffic.documentedLimit() / 4 / executors);
  }

  /**
   * Records that a request is made now. Returns false if the group has retired; then the record has
   * no effect.
   */
  boolean use(long nowNanos) {
    // One write a minute is enough. So threads seldom write the field that all of them read.
    if (nowNanos - usedNanos > Idle.NANOS / 10) {
      usedNanos = nowNanos;
    }
    return !retired;
  }

  /**
   * Retires for good if no information is lost: no request for ten minutes, none under way, and no
   * cap. Otherwise removes only the idle parts of the group, and returns false.
   */
  boolean retires(long nowNanos) {
    if (!isIdle(nowNanos)) {
      return false;
    }
    // A request that comes at this moment either sees that the group has retired, or the next line
    // sees the request.
    retired = true;
    retired = nowNanos - usedNanos >= Idle.NANOS;
    return retired;
  }

  /** Retires for good: another group takes its place. */
  void retire() {
    retired = true;
  }

  private synchronized boolean isIdle(long nowNanos) {
    long since = nowNanos - Idle.NANOS;
    if (nowNanos / 1e9 > locateUntil) {
      counts.clear();
    }
    // While the rest of the bucket has a cap, the partitions are kept: they are exempt from that
    // cap.
    if (root instanceof AdaptivePacer rest
        && nowNanos / 1e9 >= leasedUntil
        && rest.isOpen(nowNanos)) {
      partitions.values().removeIf(pacer -> pacer.isIdle(nowNanos, since));
      prefixes = List.copyOf(partitions.keySet());
    }
    return usedNanos <= since && root.isIdle(nowNanos, since) && partitions.isEmpty();
  }

  /**
   * Returns the number of partitions with their own pacer plus the number of prefixes that are
   * counted.
   */
  synchronized int size() {
    return partitions.size() + counts.size();
  }

  /** Returns the pacer for a request about the key. Must be called again for each request. */
  public Pacer pacerOf(String key) {
    if (!(root instanceof AdaptivePacer rest)) {
      return ceiling.isEmpty() ? root : new Locating(root, "", key);
    }
    String partition = partitionOf(key);
    return new Locating(partition.isEmpty() ? rest : pacerOf(partition, rest), partition, key);
  }

  /** Returns the prefix of the key's partition at this time; empty for the rest of the bucket. */
  String partitionOf(String key) {
    return PrefixCounts.covering(prefixes, key);
  }

  private synchronized AdaptivePacer pacerOf(String partition, AdaptivePacer rest) {
    return partitions.getOrDefault(partition, rest);
  }

  /** Returns the counts since the last report; empty for policies that are not coordinated. */
  public synchronized RateReport report(long nowNanos) {
    if (!(root instanceof AdaptivePacer rest)) {
      return new RateReport(List.of(), List.of());
    }
    List<Seen> seen = new ArrayList<>();
    seen.add(rest.report(""));
    partitions.forEach((prefix, pacer) -> seen.add(pacer.report(prefix)));
    boolean isLed = nowNanos / 1e9 < leasedUntil;
    return new RateReport(seen, isLed ? counts.drain() : List.of());
  }

  /** Follows the driver's lease for the given time: its rates and its list of partitions. */
  public synchronized void follow(Lease lease, long nowNanos, Duration validFor) {
    if (!(root instanceof AdaptivePacer rest)) {
      return;
    }
    ceiling.ifPresent(limit -> limit.follow(lease.most(), nowNanos));
    executors = Math.max(1, lease.executors());
    leasedUntil = (nowNanos + validFor.toNanos()) / 1e9;
    Set<String> led = lease.shares().stream().map(Share::prefix).collect(Collectors.toSet());
    partitions.keySet().retainAll(led);
    for (Share share : lease.shares()) {
      AdaptivePacer pacer =
          share.prefix().isEmpty()
              ? rest
              : partitions.computeIfAbsent(share.prefix(), p -> adaptive());
      pacer.floor(floor());
      pacer.follow(share, nowNanos, nowNanos + validFor.toNanos());
    }
    prefixes = List.copyOf(partitions.keySet());
  }

  /**
   * Returns the requests a second that each partition allows, by prefix; infinite where there is no
   * cap.
   */
  public synchronized Map<String, Double> rates() {
    Map<String, Double> rates = new TreeMap<>();
    rates.put("", Math.min(root.rate(), ceilingRate()));
    partitions.forEach((prefix, pacer) -> rates.put(prefix, Math.min(pacer.rate(), ceilingRate())));
    return rates;
  }

  private double ceilingRate() {
    return ceiling.map(Ceiling::rate).orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns true if the driver must know this process to divide a limit. */
  boolean needsShare() {
    return config.clusterMaxRate() < Double.POSITIVE_INFINITY;
  }

  /** Returns true if at least one partition has a cap now because the store throttled. */
  public synchronized boolean isLimited() {
    return root.rate() < Double.POSITIVE_INFINITY
        || partitions.values().stream().anyMatch(p -> p.rate() < Double.POSITIVE_INFINITY);
  }

  private void locate(String key, long nowNanos, double ok, double throttled) {
    double now = nowNanos / 1e9;
    if (throttled > 0) {
      locateUntil = now + LOCATE_SECONDS;
    } else if (now > locateUntil) {
      return;
    }
    synchronized (this) {
      counts.add(PrefixCounts.prefixOf(key), ok, throttled);
      if (now >= leasedUntil && now - reviewed >= PrefixCounts.REVIEW_SECONDS) {
        reviewed = now;
        review();
      }
    }
  }

  private void review() {
    PrefixCounts.Verdict verdict = counts.review(prefixes);
    verdict.merge().forEach(partitions::remove);
    for (String prefix : verdict.split()) {
      if (partitions.size() < PrefixCounts.PARTITIONS_MAX) {
        partitions.put(prefix, adaptive());
      }
    }
    prefixes = List.copyOf(partitions.keySet());
  }

  /**
   * A pacer that also counts each answer in the group, by the prefix of the request's key, and
   * keeps to the ceiling.
   */
  private final class Locating implements Pacer {
    private final Pacer pacer;
    private final String partition;
    private final String key;

    Locating(Pacer pacer, String partition, String key) {
      this.pacer = pacer;
      this.partition = partition;
      this.key = key;
    }

    @Override
    public String partition() {
      return partition;
    }

    @Override
    public void arrive(long nowNanos) {
      pacer.arrive(nowNanos);
    }

    @Override
    public long take(long nowNanos, double weight) {
      return ceiling.isPresent()
          ? ceiling.get().take(pacer, nowNanos, weight)
          : pacer.take(nowNanos, weight);
    }

    @Override
    public void leave(long nowNanos) {
      pacer.leave(nowNanos);
    }

    @Override
    public void answered(long sentNanos, long nowNanos, double ok, double throttled) {
      pacer.answered(sentNanos, nowNanos, ok, throttled);
      if (pacer instanceof AdaptivePacer) {
        locate(key, nowNanos, ok, throttled);
      }
    }

    @Override
    public void lost(long nowNanos) {
      pacer.lost(nowNanos);
    }

    @Override
    public Repeat repeat() {
      return pacer.repeat();
    }

    @Override
    public Optional<WaitingGroup> crowd() {
      return pacer.crowd();
    }

    @Override
    public double rate() {
      return Math.min(pacer.rate(), ceilingRate());
    }

    @Override
    public boolean isAtCeiling() {
      return ceilingRate() < pacer.rate();
    }
  }
}
