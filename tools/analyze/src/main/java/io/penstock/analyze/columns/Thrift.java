/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes structures in Thrift's compact protocol, in which Parquet describes pages and files. The
 * fields of a structure are written in the order of their numbers.
 */
final class Thrift {
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int STRUCT = 12;
  private static final int SHORT_LIST = 15;
  private static final int LARGEST_FIELD = 16;

  private final GrowingBytes out;
  private final Deque<Integer> outer = new ArrayDeque<>();
  private int last;

  /** Starts a structure. */
  Thrift(GrowingBytes out) {
    this.out = out;
  }

  private void field(int number, int type) {
    out.reserve(LARGEST_FIELD);
    out.add(((number - last) << 4) | type);
    last = number;
  }

  Thrift i32(int number, int value) {
    field(number, I32);
    zigzag(value);
    return this;
  }

  Thrift i64(int number, long value) {
    field(number, I64);
    zigzag(value);
    return this;
  }

  Thrift flag(int number, boolean value) {
    field(number, value ? TRUE : FALSE);
    return this;
  }

  Thrift text(int number, String value) {
    field(number, BINARY);
    bytes(value.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Writes eight bytes, as Parquet stores the extremes of a column of whole numbers. */
  Thrift longBytes(int number, long value) {
    field(number, BINARY);
    out.reserve(LARGEST_FIELD);
    out.addVarint(Long.BYTES);
    out.addLong(value);
    return this;
  }

  /** Starts a structure in a field; {@link #end} ends it. */
  Thrift struct(int number) {
    field(number, STRUCT);
    outer.push(last);
    last = 0;
    return this;
  }

  /** Starts a list of structures; {@link #element} starts each of them. */
  Thrift structs(int number, int count) {
    list(number, count, STRUCT);
    return this;
  }

  Thrift element() {
    outer.push(last);
    last = 0;
    return this;
  }

  /** Ends the structure that was started last. */
  Thrift end() {
    out.reserve(LARGEST_FIELD);
    out.add(0);
    last = outer.isEmpty() ? 0 : outer.pop();
    return this;
  }

  Thrift i32s(int number, int... values) {
    list(number, values.length, I32);
    for (int value : values) {
      zigzag(value);
    }
    return this;
  }

  Thrift texts(int number, String... values) {
    list(number, values.length, BINARY);
    for (String value : values) {
      bytes(value.getBytes(StandardCharsets.UTF_8));
    }
    return this;
  }

  private void list(int number, int count, int type) {
    field(number, LIST);
    out.reserve(LARGEST_FIELD);
    if (count < SHORT_LIST) {
      out.add((count << 4) | type);
    } else {
      out.add((SHORT_LIST << 4) | type);
      out.addVarint(count);
    }
  }

  private void bytes(byte[] value) {
    out.reserve(LARGEST_FIELD + value.length);
    out.addVarint(value.length);
    out.add(value, 0, value.length);
  }

  private void zigzag(long value) {
    out.reserve(LARGEST_FIELD);
    out.addVarint((value << 1) ^ (value >> 63));
  }
}
