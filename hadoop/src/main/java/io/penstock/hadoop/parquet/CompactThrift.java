/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.parquet;

import java.io.IOException;

/**
 * Reads values of Thrift's compact protocol from an array, as far as the footers of Parquet use it
 * (thrift-compact-protocol.md of Apache Thrift). Any array is safe input: whatever is not the
 * protocol fails with an IOException.
 */
final class CompactThrift {
  private static final int STOP = 0;
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;
  private static final int UUID = 13;

  /** The elements of a longer list are counted in bytes of their own. */
  private static final int SHORT_LIST = 15;

  /** Footers have a depth of 8; what is deeper is not a footer, and could fill the stack. */
  private static final int DEPTH_MAX = 32;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int depth;

  CompactThrift(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  /** Receives the fields of a struct. */
  @FunctionalInterface
  interface Fields {
    /** Reads or skips the value of the field, completely. */
    void read(int id, int type) throws IOException;
  }

  /** Receives the elements of a list. */
  @FunctionalInterface
  interface Elements {
    /** Reads or skips the next element, completely. */
    void read() throws IOException;
  }

  /** Reads a struct, field by field. */
  void struct(Fields fields) throws IOException {
    deeper();
    int id = 0;
    for (int header = next(); header != STOP; header = next()) {
      int step = header >>> 4;
      id = step == 0 ? (int) number() : id + step;
      fields.read(id, header & 0xf);
    }
    depth--;
  }

  /** Reads a field that is a list of structs. */
  void structs(int type, Elements elements) throws IOException {
    check(type == LIST, "a list");
    int header = next();
    check((header & 0xf) == STRUCT, "a list of structs");
    for (long left = length(header); left > 0; left--) {
      elements.read();
    }
  }

  /** Reads a field that is a struct. */
  void struct(int type, Fields fields) throws IOException {
    check(type == STRUCT, "a struct");
    struct(fields);
  }

  /** Reads a field that is a 64-bit number. */
  long number(int type) throws IOException {
    check(type == I64, "a number of 64 bits");
    return number();
  }

  /** Skips the value of a field. */
  void skip(int type) throws IOException {
    switch (type) {
      case TRUE, FALSE -> {} // The type is the value.
      case BYTE -> move(1);
      case I16, I32, I64 -> number();
      case DOUBLE -> move(Double.BYTES);
      case UUID -> move(2 * Long.BYTES);
      case BINARY -> move(unsigned());
      case LIST, SET -> skipList();
      case MAP -> skipMap();
      case STRUCT -> struct((id, inner) -> skip(inner));
      default -> throw new IOException("no type of Thrift: " + type);
    }
  }

  private void skipList() throws IOException {
    deeper();
    int header = next();
    for (long left = length(header); left > 0; left--) {
      skipElement(header & 0xf);
    }
    depth--;
  }

  private void skipMap() throws IOException {
    deeper();
    long left = unsigned();
    int types = left == 0 ? 0 : next();
    for (; left > 0; left--) {
      skipElement(types >>> 4);
      skipElement(types & 0xf);
    }
    depth--;
  }

  /** Skips an element of a collection. There, a truth value has a byte of its own. */
  private void skipElement(int type) throws IOException {
    skip(type == TRUE || type == FALSE ? BYTE : type);
  }

  private long length(int header) throws IOException {
    int few = header >>> 4;
    return few == SHORT_LIST ? unsigned() : few;
  }

  /** Reads a number with a sign: 0, -1, 1, -2, and so on, are written as 0, 1, 2, 3. */
  private long number() throws IOException {
    long written = varint();
    return (written >>> 1) ^ -(written & 1);
  }

  /** Reads a length or a count: no number greater than that of the bytes left makes sense. */
  private long unsigned() throws IOException {
    long length = varint();
    check(length >= 0 && length <= end - at, "a length within the bytes");
    return length;
  }

  private long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new IOException("no number of Thrift");
  }

  private int next() throws IOException {
    check(at < end, "another byte");
    return bytes[at++] & 0xff;
  }

  private void move(long count) throws IOException {
    check(count <= end - at, "more bytes");
    at += (int) count;
  }

  private void deeper() throws IOException {
    depth++;
    check(depth <= DEPTH_MAX, "less depth");
  }

  private void check(boolean isRight, String expected) throws IOException {
    if (!isRight) {
      throw new IOException("expected " + expected + " at byte " + at);
    }
  }
}
