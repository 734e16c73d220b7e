/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import io.penstock.tables.bytes.Scan;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes to which values are appended in the byte order of Parquet. */
final class GrowingBytes {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int size;

  GrowingBytes(int capacity) {
    bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Makes room for more bytes, so that the methods that append need not check. */
  void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.addExact(size, Math.max(more, size)));
    }
  }

  /** Appends one byte. The caller has reserved the room, as for all methods that append. */
  void add(int one) {
    bytes[size++] = (byte) one;
  }

  void addInt(int value) {
    INTS.set(bytes, size, value);
    size += Integer.BYTES;
  }

  void addLong(long value) {
    LONGS.set(bytes, size, value);
    size += Long.BYTES;
  }

  void add(byte[] source, int start, int end) {
    System.arraycopy(source, start, bytes, size, end - start);
    size += end - start;
  }

  /** Appends a part of these bytes' own content or of another's. */
  void add(GrowingBytes source, int start, int end) {
    add(source.bytes, start, end);
  }

  /** Appends a number of up to five or ten bytes, seven bits in each. */
  void addVarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      add((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    add((int) rest);
  }

  void setInt(int position, int value) {
    INTS.set(bytes, position, value);
  }

  int intAt(int position) {
    return (int) INTS.get(bytes, position);
  }

  /** Returns true if the bytes at a position are the same as a part of another array. */
  boolean equalAt(int position, byte[] other, int start, int end) {
    return Scan.areEqual(bytes, position, other, start, end - start);
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }
}
