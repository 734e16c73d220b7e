/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what became of the records of a log: nothing is dropped without being counted here. Used
 * by one thread; {@link #add} joins those of several.
 */
public final class ParseStatistics implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int SAMPLE_BYTES = 160;
  private static final int MAX_REASONS = 40;
  private static final String OTHERS = "for other reasons";

  /**
   * The number of times that something happened.
   *
   * @param position where it did first, in bytes of the unpacked log
   * @param sample how the first one begins
   */
  public record Case(long count, long position, String sample) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  private long records;
  private long requests;
  private String damage = "";
  private final TreeMap<String, Case> rejected = new TreeMap<>();
  private final TreeMap<String, Case> skipped = new TreeMap<>();

  /** One more line or record was met, whatever it is. */
  public void record() {
    records++;
  }

  /** One more request was read. */
  public void request() {
    requests++;
  }

  /**
   * A record that should have been a request could not be read.
   *
   * @param reason one of few, in words for people, such as "its time cannot be read"
   */
  public void reject(String reason, long position, byte[] text, int start, int end) {
    count(rejected, reason, position, text, start, end);
  }

  /** A record that is well but none of ours, such as a call of another service. */
  public void skip(String reason, long position, byte[] text, int start, int end) {
    count(skipped, reason, position, text, start, end);
  }

  private static void count(
      Map<String, Case> cases, String reason, long position, byte[] text, int start, int end) {
    String known = cases.containsKey(reason) || cases.size() < MAX_REASONS ? reason : OTHERS;
    Case before = cases.get(known);
    if (before == null) {
      int until = Math.min(end, start + SAMPLE_BYTES);
      String sample = new String(text, start, until - start, StandardCharsets.UTF_8);
      cases.put(known, new Case(1, position, sample));
    } else {
      cases.put(known, new Case(before.count + 1, before.position, before.sample));
    }
  }

  /** The log ended before its end, for the reason given. */
  public void damage(String reason) {
    damage = reason;
  }

  public void add(ParseStatistics other) {
    records += other.records;
    requests += other.requests;
    damage = damage.isEmpty() ? other.damage : damage;
    join(rejected, other.rejected);
    join(skipped, other.skipped);
  }

  private static void join(Map<String, Case> into, Map<String, Case> from) {
    from.forEach((reason, more) -> into.merge(reason, more, ParseStatistics::both));
  }

  private static Case both(Case one, Case two) {
    Case first = one.position <= two.position ? one : two;
    return new Case(one.count + two.count, first.position, first.sample);
  }

  public long records() {
    return records;
  }

  public long requests() {
    return requests;
  }

  /** Returns why the log could not be read to its end; empty when it could. */
  public String damage() {
    return damage;
  }

  public Map<String, Case> rejected() {
    return Collections.unmodifiableMap(rejected);
  }

  public Map<String, Case> skipped() {
    return Collections.unmodifiableMap(skipped);
  }

  public long rejectedRecords() {
    return rejected.values().stream().mapToLong(Case::count).sum();
  }
}
