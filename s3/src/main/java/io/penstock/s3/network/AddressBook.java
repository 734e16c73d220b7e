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
 * The addresses of one host, and which of them the next request goes to. S3 names a few of its many
 * addresses in each answer, so the answers add up; an address that was not named for a while is
 * forgotten. Safe for use by many threads.
 */
final class AddressBook {
  /** The ends that a request at an address can have. */
  enum Outcome {
    /** An answer came, whatever it says. */
    WELL,
    /** It was cut short. Once is the weather; twice in a row is the address. */
    SLOW,
    /** It could not be reached, or the connection broke. */
    BROKEN,
    /** We gave it up for a reason of ours. */
    UNKNOWN
  }

  /**
   * The look-ups that an address survives without being found: with one each 30 s that is 5
   * minutes, as long as a connection lives.
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

    /** Told apart by the length of their addresses. */
    int family() {
      return address instanceof Inet4Address ? 4 : 16;
    }

    boolean isFreerThan(Entry other) {
      return inFlight < other.inFlight
          || (inFlight == other.inFlight && lastGoodUse > other.lastGoodUse);
    }

    /** After the time of avoidance one request tries whether it is well again. */
    boolean isAvoided(long nowNanos) {
      return suspicion >= SUSPECT && (nowNanos < avoidedUntilNanos || inFlight > 0);
    }
  }

  /** Takes in what one look-up answered; an empty answer says nothing. */
  synchronized void learn(List<InetAddress> named) {
    if (named.isEmpty()) {
      return;
    }
    answers++;
    // The resolver puts the family first that this machine can reach.
    family = named.get(0).getAddress().length;
    named.forEach(address -> entries.computeIfAbsent(address, Entry::new).namedInAnswer = answers);
    entries.values().removeIf(e -> answers - e.namedInAnswer >= FORGOTTEN_AFTER && e.inFlight == 0);
  }

  /**
   * The address with the fewest requests in flight, of the well-behaved ones where there are any;
   * among equals the one that answered last, because it has a connection open. Books one request
   * there until {@link #ended}.
   *
   * @param tried not to be named again
   * @param avoided taken only when there is no other
   * @return empty when all were tried
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

  /** Lower is better, whatever is in flight there. */
  private int rank(Entry entry, Optional<String> avoided, long nowNanos) {
    int rank = entry.family() == family ? 0 : 1;
    if (entry.isAvoided(nowNanos)) {
      rank += 4;
    }
    return avoided.isPresent() && avoided.get().equals(entry.text) ? rank + 2 : rank;
  }

  /** The request that {@link #choose} booked is over. */
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

  /** Requests in flight by address, for messages and tests. */
  synchronized Map<InetAddress, Integer> inFlight() {
    Map<InetAddress, Integer> counts = new HashMap<>();
    entries.forEach((address, entry) -> counts.put(address, entry.inFlight));
    return counts;
  }
}
