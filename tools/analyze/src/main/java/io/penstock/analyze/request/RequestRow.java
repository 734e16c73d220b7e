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

  private static final long MIN_TIME = -62_135_596_800_000_000L;
  private static final long MAX_TIME = 253_402_300_799_999_999L;

  private final byte[][] texts = new byte[COLUMNS][];
  private final long[] numbers = new long[COLUMNS];
  private final boolean[] present = new boolean[COLUMNS];

  public void clear() {
    Arrays.fill(present, false);
    Arrays.fill(texts, null);
  }

  /** Sets a text to a copy of a part of a buffer. The buffer may be reused after the call. */
  public void text(RequestColumn column, byte[] source, int start, int end) {
    text(column, Arrays.copyOfRange(source, start, end));
  }

  /** Sets a text to bytes that nobody changes after the call. */
  public void text(RequestColumn column, byte[] value) {
    if (column.kind() != Kind.TEXT) {
      throw new IllegalArgumentException(column + " is no text");
    }
    texts[column.index()] = value;
    present[column.index()] = true;
  }

  public void text(RequestColumn column, String value) {
    text(column, value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Sets a number: microseconds since 1970 UTC for a TIME, 0 or 1 for a FLAG. An impossible value,
   * such as an object of a thousand terabytes or a time before the year 1, is ignored.
   */
  public void number(RequestColumn column, long value) {
    if (column.kind() == Kind.TEXT) {
      throw new IllegalArgumentException(column + " is a text");
    }
    numbers[column.index()] = value;
    present[column.index()] = canBe(column, value);
  }

  private static boolean canBe(RequestColumn column, long value) {
    return switch (column) {
      // These columns contain hashes, so any value is possible.
      case CHAIN, WRITE_ID, RECORD -> true;
      case TS_START, TS_END -> value >= MIN_TIME && value <= MAX_TIME;
      default -> value >= 0 && value <= MAX_NUMBER;
    };
  }

  public void api(S3Api api) {
    text(RequestColumn.API, api.bytes());
    text(RequestColumn.CLASS, api.kind().letter());
  }

  /** Sets an operation that {@link S3Api} does not contain. */
  public void otherApi(byte[] name) {
    text(RequestColumn.API, name);
    text(RequestColumn.CLASS, OTHER);
  }

  public boolean has(RequestColumn column) {
    return present[column.index()];
  }

  /** Returns the bytes of a text; null when it is not set. */
  public byte[] bytes(RequestColumn column) {
    return texts[column.index()];
  }

  /** Returns a text; null when it is not set. */
  public String text(RequestColumn column) {
    byte[] value = texts[column.index()];
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /** Returns a number; 0 when it is not set. */
  public long number(RequestColumn column) {
    return present[column.index()] ? numbers[column.index()] : 0;
  }

  /**
   * Derives throttled, dir, ts_end, chain, record and other columns from the values that were set.
   */
  public void finish() {
    Derived.into(this);
  }
}
