/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the results of reading a log's records. No record is dropped without being counted here.
 * Used by a single thread; {@link #add} combines the counts of several threads.
 */
public final class ParseStatistics implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int SAMPLE_BYTES = 160;
  private static final int MAX_REASONS = 40;
  private static final String OTHERS = "for other reasons";

  /**
   * The number of records with the same result.
   *
   * @param position the position of the first such record, in bytes of the decompressed log
   * @param sample the beginning of the first such record
   */
  public record Case(long count, long position, String sample) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  private long records;
  private long requests;
  private String damage = "";
  private final TreeMap<String, Case> rejected = new TreeMap<>();
  private final TreeMap<String, Case> skipped = new TreeMap<>();

  /** Counts one more line or record, whatever its content is. */
  public void record() {
    records++;
  }

  /** Counts one more request that was read. */
  public void request() {
    requests++;
  }

  /**
   * Counts the result of parsing a record. If it is a request, its row gets the position and is
   * finished.
   *
   * @return true if it is a request
   */
  public boolean isRequest(
      LineParser.Verdict verdict, RequestRow row, long position, byte[] text, int start, int end) {
    switch (verdict.what()) {
      case REQUEST -> {
        request();
        row.number(RequestColumn.POSITION, position);
        row.finish();
        return true;
      }
      case SKIPPED -> skip(verdict.reason(), position, text, start, end);
      case REJECTED -> reject(verdict.reason(), position, text, start, end);
    }
    return false;
  }

  /**
   * Counts a record that should be a request but cannot be read.
   *
   * @param reason one of a small number of texts for the user, such as "its time cannot be read"
   */
  public void reject(String reason, long position, byte[] text, int start, int end) {
    count(rejected, reason, position, text, start, end);
  }

  /** Counts a valid record that is not a request to S3, such as a call of another service. */
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

  /** Records that the log could not be read to its end, with the reason. */
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

  /** Returns the reason why the log could not be read to its end; empty when it could be. */
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

  public long skippedRecords() {
    return skipped.values().stream().mapToLong(Case::count).sum();
  }
}
