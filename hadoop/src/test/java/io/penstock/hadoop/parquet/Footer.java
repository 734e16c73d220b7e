/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.parquet;

import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes Parquet files whose columns contain anything and whose footers are as the format says, in
 * Thrift's compact protocol.
 */
final class Footer {
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int STRUCT = 12;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Footer() {}

  /**
   * Returns a file of row groups with columns of this size each, which lie one after the other from
   * byte 4 on.
   */
  static byte[] file(int groups, int columns, int columnBytes) {
    byte[] footer = footer(groups, columns, columnBytes);
    int data = groups * columns * columnBytes;
    byte[] file = Arrays.copyOf(magic(), 4 + data + footer.length);
    for (int i = 0; i < data; i++) {
      file[4 + i] = (byte) (i * 31 + i / 251);
    }
    System.arraycopy(footer, 0, file, 4 + data, footer.length);
    return file;
  }

  /** Returns the last bytes of a file, as a GET answers them. */
  static ObjectSlice tail(byte[] file, int length) {
    ObjectMeta meta = new ObjectMeta("key", file.length, "etag", Instant.EPOCH);
    int start = file.length - Math.min(length, file.length);
    return new ObjectSlice(meta, start, Arrays.copyOfRange(file, start, file.length));
  }

  static byte[] footer(int groups, int columns, int columnBytes) {
    Footer metadata = new Footer();
    metadata.field(1, I32).number(2); // version
    metadata.field(1, LIST).list(STRUCT, 1).element(schema()); // schema
    metadata.field(1, I64).number(1_000_000L * groups); // num_rows
    metadata.field(1, LIST).list(STRUCT, groups); // row_groups
    for (int g = 0; g < groups; g++) {
      metadata.element(rowGroup(4 + g * columns * columnBytes, columns, columnBytes));
    }
    metadata.field(2, BINARY).text("a writer"); // created_by
    byte[] thrift = metadata.done();
    byte[] file = Arrays.copyOf(thrift, thrift.length + 8);
    ByteBuffer.wrap(file)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(thrift.length, thrift.length)
        .position(thrift.length + 4)
        .put(magic());
    return file;
  }

  private static byte[] magic() {
    return "PAR1".getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] schema() {
    return new Footer().field(4, BINARY).text("spark_schema").field(1, I32).number(1).done();
  }

  private static byte[] rowGroup(int start, int columns, int columnBytes) {
    Footer group = new Footer();
    group.field(1, LIST).list(STRUCT, columns); // columns
    for (int c = 0; c < columns; c++) {
      group.element(column(start + c * columnBytes, columnBytes));
    }
    group.field(1, I64).number((long) columns * columnBytes); // total_byte_size
    group.field(1, I64).number(1_000_000); // num_rows
    return group.done();
  }

  private static byte[] column(int start, int bytes) {
    Footer data = new Footer();
    data.field(1, I32).number(2); // type
    data.field(1, LIST).list(I32, 2).number(0).number(8); // encodings
    data.field(1, LIST).list(BINARY, 1).text("c"); // path_in_schema
    data.field(4, I64).number(bytes); // total_compressed_size, field 7
    boolean hasDictionary = bytes > 10;
    data.field(2, I64).number(hasDictionary ? start + 10 : start); // data_page_offset, field 9
    if (hasDictionary) {
      data.field(2, I64).number(start); // dictionary_page_offset, field 11
    }
    return new Footer()
        .field(2, I64)
        .number(start) // file_offset
        .field(1, STRUCT)
        .element(data.done()) // meta_data
        .done();
  }

  /** Begins a field whose id is so many after that of the last one. */
  private Footer field(int step, int type) {
    out.write((step << 4) | type);
    return this;
  }

  private Footer list(int type, int size) {
    out.write((Math.min(15, size) << 4) | type);
    if (size >= 15) {
      varint(size);
    }
    return this;
  }

  private Footer element(byte[] struct) {
    out.writeBytes(struct);
    return this;
  }

  private Footer number(long value) {
    varint((value << 1) ^ (value >> 63));
    return this;
  }

  private Footer text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    varint(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  private void varint(long value) {
    long left = value;
    for (; (left & ~0x7fL) != 0; left >>>= 7) {
      out.write((int) ((left & 0x7f) | 0x80));
    }
    out.write((int) left);
  }

  private byte[] done() {
    out.write(0);
    return out.toByteArray();
  }

  static Optional<List<RowGroup>> rowGroups(byte[] file, int tailBytes) {
    return ParquetFooter.rowGroups(tail(file, tailBytes));
  }
}
