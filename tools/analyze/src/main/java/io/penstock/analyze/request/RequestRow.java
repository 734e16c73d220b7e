/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import io.penstock.tables.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One row of {@code s3_requests} while it is read. The object is reused for the next row. A reader
 * sets the values from its log and calls {@link #finish}, which derives the other values.
 *
 * <p>Texts are the log's bytes, normally UTF-8. Invalid bytes are replaced when a text is returned
 * as a String.
 */
public final class RequestRow {
  private static final int COLUMNS = RequestColumn.all().size();
  private static final byte[] OTHER = {'-'};

  /**
   * The largest number accepted. No object and no wait is that large, and larger numbers would
   * overflow the engine's sums and products.
   */
  private static final long MAX_NUMBER = 1_000_000_000_000_000L;

  /** S3 exists since 2006, and no log is from after 2099: one wrong line would be its window. */
  private static final long MIN_TIME = 1_136_073_600_000_000L;

  private static final long MAX_TIME = 4_102_444_799_999_999L;

  private static final long[] MIN = new long[COLUMNS];
  private static final long[] MAX = new long[COLUMNS];

  static {
    for (RequestColumn column : RequestColumn.all()) {
      switch (column) {
        // These columns contain hashes, so any value is possible.
        case CHAIN, WRITE_ID, RECORD -> limits(column, Long.MIN_VALUE, Long.MAX_VALUE);
        case TS_START, TS_END -> limits(column, MIN_TIME, MAX_TIME);
        default -> limits(column, 0, MAX_NUMBER);
      }
    }
  }

  private static void limits(RequestColumn column, long min, long max) {
    MIN[column.index()] = min;
    MAX[column.index()] = max;
  }

  // A text is a part of an array, so that a reader need not copy what it has in a buffer.
  private final byte[][] sources = new byte[COLUMNS][];
  private final int[] starts = new int[COLUMNS];
  private final int[] ends = new int[COLUMNS];
  private final long[] hashes = new long[COLUMNS];
  private final long[] numbers = new long[COLUMNS];
  // One bit for each column that has a value, and for each text whose hash is known.
  private long present;
  private long hashed;

  public void clear() {
    present = 0;
    hashed = 0;
  }

  /** Returns one bit for each column that has a value; bit 0 is the column with index 0. */
  public long present() {
    return present;
  }

  /**
   * Sets a text to a part of a buffer. The buffer must not change until the row has been used.
   *
   * @param start inclusive
   * @param end exclusive
   */
  public void text(RequestColumn column, byte[] source, int start, int end) {
    assert column.kind() == Kind.TEXT : column + " is not text";
    int index = column.index();
    sources[index] = source;
    starts[index] = start;
    ends[index] = end;
    long bit = 1L << index;
    hashed &= ~bit;
    present |= bit;
  }

  /**
   * Sets a text whose hash is known.
   *
   * @param hash what {@link #hashOf} returns for these bytes
   */
  public void text(RequestColumn column, byte[] source, int start, int end, long hash) {
    text(column, source, start, end);
    hashes[column.index()] = hash;
    hashed |= 1L << column.index();
  }

  /** Returns the hash of a text, the same on every machine. */
  public static long hashOf(byte[] text, int start, int end) {
    return Hash64.of(text, start, end);
  }

  /** Sets a text to bytes that nobody changes after the call. */
  public void text(RequestColumn column, byte[] value) {
    text(column, value, 0, value.length);
  }

  public void text(RequestColumn column, String value) {
    text(column, value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Sets a number: microseconds since 1970 UTC for a TIME, 0 or 1 for a FLAG. An impossible value,
   * such as an object of a thousand terabytes or a time before S3 existed, is ignored.
   */
  public void number(RequestColumn column, long value) {
    assert column.kind() != Kind.TEXT : column + " is a text";
    numbers[column.index()] = value;
    int index = column.index();
    if (value >= MIN[index] && value <= MAX[index]) {
      present |= 1L << index;
    } else {
      present &= ~(1L << index);
    }
  }

  public void api(S3Api api) {
    byte[] name = api.bytes();
    text(RequestColumn.API, name, 0, name.length, api.hash());
    text(RequestColumn.CLASS, api.kind().letter());
  }

  /** Sets an operation that {@link S3Api} does not contain. */
  public void otherApi(byte[] name) {
    text(RequestColumn.API, name);
    text(RequestColumn.CLASS, OTHER);
  }

  public boolean has(RequestColumn column) {
    return (present >>> column.index() & 1) != 0;
  }

  /** Returns the bytes of a text; null when it is not set. */
  public byte[] bytes(RequestColumn column) {
    byte[] source = source(column);
    int start = start(column);
    int end = end(column);
    return source == null || (start == 0 && end == source.length)
        ? source
        : Arrays.copyOfRange(source, start, end);
  }

  /** Returns the array that holds a text from {@link #start} to {@link #end}; null if not set. */
  public byte[] source(RequestColumn column) {
    return has(column) ? sources[column.index()] : null;
  }

  public int start(RequestColumn column) {
    return starts[column.index()];
  }

  public int end(RequestColumn column) {
    return ends[column.index()];
  }

  /** Returns a hash of a text's bytes, the same on every machine; -1 when it is not set. */
  public long hash(RequestColumn column) {
    return has(column) ? hash(column.index()) : -1;
  }

  /** Returns the array that holds the text of the column with an index, which must have one. */
  public byte[] source(int index) {
    return sources[index];
  }

  public int start(int index) {
    return starts[index];
  }

  public int end(int index) {
    return ends[index];
  }

  /** Returns the number of the column with an index, which must have one. */
  public long number(int index) {
    return numbers[index];
  }

  /** Returns the hash of the text of the column with an index, which must have one. */
  public long hash(int index) {
    long bit = 1L << index;
    if ((hashed & bit) == 0) {
      hashes[index] = Hash64.of(sources[index], starts[index], ends[index]);
      hashed |= bit;
    }
    return hashes[index];
  }

  /** Returns a text; null when it is not set. */
  public String text(RequestColumn column) {
    byte[] source = source(column);
    int start = start(column);
    return source == null
        ? null
        : new String(source, start, end(column) - start, StandardCharsets.UTF_8);
  }

  /** Returns a number; 0 when it is not set. */
  public long number(RequestColumn column) {
    return has(column) ? numbers[column.index()] : 0;
  }

  /**
   * Derives throttled, dir, ts_end, chain, record and other columns from the values that were set.
   */
  public void finish() {
    Derived.into(this);
  }
}
