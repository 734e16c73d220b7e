/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the addresses of one host, and chooses the address for the next request. In each DNS
 * answer, S3 names a few of its many addresses, so the answers are collected. An address that was
 * not named for a while is dropped. Safe for use by many threads.
 */
final class AddressBook {
  /** The outcomes of a request at an address. */
  enum Outcome {
    /** An answer came, with any content. */
    WELL,
    /** The attempt was cut. One cut may be chance; two in a row are blamed on the address. */
    SLOW,
    /** The address could not be reached, or the connection broke. */
    BROKEN,
    /** This process ended the request for a reason that has nothing to do with the address. */
    UNKNOWN
  }

  /**
   * An address is dropped after this many look-ups in a row that do not name it. With one look-up
   * every 30 s, this is 5 minutes, as long as a connection lives.
   */
  private static final int FORGOTTEN_AFTER = 10;

  private static final int SUSPECT = 2;
  private static final Duration AVOID_FIRST = Duration.ofSeconds(2);
  private static final Duration AVOID_MOST = Duration.ofMinutes(1);

  private final Map<InetAddress, Entry> entries = new LinkedHashMap<>();
  private long answers;
  private int family;
  private long uses;

  private static final class Entry {
    private final InetAddress address;
    private final String text;
    private long namedInAnswer;
    private int inFlight;
    private int suspicion;
    private long avoidedUntilNanos;
    private long lastGoodUse;

    Entry(InetAddress address) {
      this.address = address;
      this.text = address.getHostAddress();
    }

    /**
     * Returns a number for the address family. Within a family it is the same for all addresses.
     */
    int family() {
      return address instanceof Inet4Address ? 4 : 16;
    }

    boolean isFreerThan(Entry other) {
      return inFlight < other.inFlight
          || (inFlight == other.inFlight && lastGoodUse > other.lastGoodUse);
    }

    /**
     * Returns true if the address should not be used now. After its time of avoidance, one request
     * at a time tests it.
     */
    boolean isAvoided(long nowNanos) {
      return suspicion >= SUSPECT && (nowNanos < avoidedUntilNanos || inFlight > 0);
    }
  }

  /** Adds the addresses of one look-up. An empty answer changes nothing. */
  synchronized void learn(List<InetAddress> named) {
    if (named.isEmpty()) {
      return;
    }
    answers++;
    // The resolver lists first the address family that this machine can reach.
    family = named.get(0).getAddress().length;
    named.forEach(address -> entries.computeIfAbsent(address, Entry::new).namedInAnswer = answers);
    entries.values().removeIf(e -> answers - e.namedInAnswer >= FORGOTTEN_AFTER && e.inFlight == 0);
  }

  /**
   * Chooses the address with the fewest requests in flight, and prefers addresses without recent
   * failures. Among equal addresses it chooses the one that answered last, because that one has an
   * open connection. Counts one request there until {@link #ended}.
   *
   * @param tried addresses that must not be chosen again
   * @param avoided an address that is chosen only if there is no other
   * @return empty if all addresses were tried
   */
  synchronized Optional<InetAddress> choose(
      Set<InetAddress> tried, Optional<String> avoided, long nowNanos) {
    Entry best = null;
    int bestRank = 0;
    for (Entry entry : entries.values()) {
      int rank = rank(entry, avoided, nowNanos);
      if (!tried.contains(entry.address)
          && (best == null || rank < bestRank || (rank == bestRank && entry.isFreerThan(best)))) {
        best = entry;
        bestRank = rank;
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    best.inFlight++;
    return Optional.of(best.address);
  }

  /**
   * Returns the rank of an address: lower is better, independent of the requests in flight there.
   */
  private int rank(Entry entry, Optional<String> avoided, long nowNanos) {
    int rank = entry.family() == family ? 0 : 1;
    if (entry.isAvoided(nowNanos)) {
      rank += 4;
    }
    return avoided.isPresent() && avoided.get().equals(entry.text) ? rank + 2 : rank;
  }

  /** Records the end of a request that {@link #choose} counted. */
  synchronized void ended(InetAddress address, Outcome outcome, long nowNanos) {
    Entry entry = entries.get(address);
    entry.inFlight--;
    if (outcome == Outcome.WELL) {
      entry.suspicion = 0;
      entry.lastGoodUse = ++uses;
      return;
    }
    if (outcome == Outcome.UNKNOWN) {
      return;
    }
    entry.lastGoodUse = 0;
    entry.suspicion += outcome == Outcome.BROKEN ? SUSPECT : 1;
    if (entry.suspicion >= SUSPECT) {
      int doublings = Math.min(10, entry.suspicion / SUSPECT - 1);
      long nanos = Math.min(AVOID_MOST.toNanos(), AVOID_FIRST.toNanos() << doublings);
      entry.avoidedUntilNanos = nowNanos + nanos;
    }
  }

  /** Returns the requests in flight by address, for messages and tests. */
  synchronized Map<InetAddress, Integer> inFlight() {
    Map<InetAddress, Integer> counts = new HashMap<>();
    entries.forEach((address, entry) -> counts.put(address, entry.inFlight));
    return counts;
  }
}
