/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.bytes.Scan;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A Parquet file while it is written, uncompressed and with one page a column and row group. To add
 * a row, add a value to each column that has one and call {@link #endRow}. Used by a single thread.
 */
public final class ColumnFile implements Closeable {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT_VERSION = 1;
  private static final int BOOLEAN = 0;
  private static final int INT64 = 2;
  private static final int BYTE_ARRAY = 6;
  private static final int OPTIONAL = 1;
  private static final int UTF8 = 0;

  private record Group(List<PageWriter.Place> places, int rows, long bytes) {}

  private final Path path;
  private final List<Column> columns;
  private final TextColumn[] texts;
  private final NumberColumn[] numbers;
  private final OutputStream out;
  private final PageWriter pages;
  private final List<Group> groups = new ArrayList<>();
  private final ColumnPresence presence = new ColumnPresence();
  private long allRows;

  /** Creates a file, which must not exist. It is complete once it was closed. */
  public ColumnFile(Path file, List<Column> columns) throws IOException {
    this.path = file;
    if (columns.size() > Long.SIZE) {
      throw new IllegalArgumentException(columns.size() + " columns are more than 64");
    }
    this.columns = List.copyOf(columns);
    this.texts = new TextColumn[columns.size()];
    this.numbers = new NumberColumn[columns.size()];
    for (int i = 0; i < columns.size(); i++) {
      Kind kind = columns.get(i).kind();
      if (kind == Kind.TEXT) {
        texts[i] = new TextColumn();
      } else {
        numbers[i] = new NumberColumn(kind == Kind.FLAG);
      }
    }
    this.out = Files.newOutputStream(file);
    out.write(MAGIC);
    this.pages = new PageWriter(out, MAGIC.length);
  }

  /** Returns a column of texts by its index. */
  public TextColumn text(int index) {
    return texts[index];
  }

  /** Returns any other column by its index; times are microseconds since 1970, flags 0 or 1. */
  public NumberColumn number(int index) {
    return numbers[index];
  }

  /**
   * Ends a row.
   *
   * @param present one bit for each column to which a value was added; bit 0 is the column with
   *     index 0
   */
  public void endRow(long present) throws IOException {
    presence.add(present);
    int rows = presence.rows();
    if (rows == OpenRowGroup.MAX_ROWS
        || ((rows & 0xf) == 0 && textBytes() > OpenRowGroup.MAX_TEXT_BYTES)) {
      endGroup();
    }
  }

  private long textBytes() {
    long bytes = 0;
    for (TextColumn text : texts) {
      bytes += text == null ? 0 : text.bytes();
    }
    return bytes;
  }

  private void endGroup() throws IOException {
    List<PageWriter.Place> places = new ArrayList<>();
    long start = pages.written();
    for (int i = 0; i < texts.length; i++) {
      places.add(pages.startColumn());
      ColumnChunk column = texts[i] == null ? numbers[i] : texts[i];
      column.write(i, presence, pages);
    }
    groups.add(new Group(places, presence.rows(), pages.written() - start));
    allRows += presence.rows();
    presence.clear();
  }

  @Override
  public void close() throws IOException {
    try (out) {
      if (presence.rows() > 0) {
        endGroup();
      }
      GrowingBytes footer = new GrowingBytes(1 << 12);
      describe(new Thrift(footer));
      int size = footer.size();
      footer.reserve(Integer.BYTES + MAGIC.length);
      footer.addInt(size);
      footer.add(MAGIC, 0, MAGIC.length);
      footer.writeTo(out);
    }
  }

  /**
   * Replaces the flags of a column once the file was closed.
   *
   * @param index the index of a column of flags that has a value in every row
   * @param flags bit 0 is the first row of the file
   */
  public void setFlags(int index, BitSet flags) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      int first = 0;
      for (Group group : groups) {
        int last = Math.addExact(first, group.rows());
        byte[] bits = new byte[(group.rows() + Byte.SIZE - 1) / Byte.SIZE];
        byte[] set = flags.get(first, last).toByteArray();
        System.arraycopy(set, 0, bits, 0, set.length);
        // The bits of all rows end the column's page.
        PageWriter.Place place = group.places().get(index);
        write(channel, bits, place.end() - bits.length);
        first = last;
      }
    }
  }

  /**
   * Sets the flags of all rows whose number is among some, once the file was closed. Where numbers
   * are stored as codes, because few of them differ, all flags are set.
   *
   * @param index the index of a column of flags that has a value in every row
   * @param numbers the index of a column of numbers that has a value in every row
   */
  public void setFlags(int index, int numbers, LongPredicate wanted) throws IOException {
    byte[] values = new byte[OpenRowGroup.MAX_ROWS * Long.BYTES];
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      for (Group group : groups) {
        PageWriter.Place place = group.places().get(numbers);
        int bytes = group.rows() * Long.BYTES;
        byte[] bits = new byte[(group.rows() + Byte.SIZE - 1) / Byte.SIZE];
        if (place.encoding == PageWriter.PLAIN) {
          read(channel, ByteBuffer.wrap(values, 0, bytes), place.end() - bytes);
          for (int row = 0; row < group.rows(); row++) {
            int bit = wanted.test(Scan.word(values, row * Long.BYTES)) ? 1 : 0;
            bits[row >> 3] |= (byte) (bit << (row & 7));
          }
        } else {
          Arrays.fill(bits, (byte) -1);
        }
        write(channel, bits, group.places().get(index).end() - bits.length);
      }
    }
  }

  private static void read(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        throw new EOFException("rows have disappeared from a file that was just written");
      }
    }
  }

  private static void write(FileChannel channel, byte[] bytes, long at) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      channel.write(left, at + left.position());
    }
  }

  private void describe(Thrift file) {
    file.i32(1, FORMAT_VERSION).structs(2, columns.size() + 1);
    file.element().text(4, "requests").i32(5, columns.size()).end();
    for (Column column : columns) {
      describe(file.element(), column);
    }
    file.i64(3, allRows).structs(4, groups.size());
    for (Group group : groups) {
      file.element().structs(1, columns.size());
      for (int i = 0; i < columns.size(); i++) {
        describe(file.element(), columns.get(i), group.places().get(i));
      }
      file.i64(2, group.bytes()).i64(3, group.rows()).end();
    }
    file.text(6, "penstock").end();
  }

  private static void describe(Thrift schema, Column column) {
    schema.i32(1, type(column)).i32(3, OPTIONAL).text(4, column.name());
    if (column.kind() == Kind.TEXT) {
      schema.i32(6, UTF8).struct(10).struct(1).end().end();
    } else if (column.kind() == Kind.TIME) {
      // A time in microseconds that is not adjusted to UTC, because it is in UTC already.
      schema.struct(10).struct(8).flag(1, false).struct(2).struct(2).end().end().end().end();
    }
    schema.end();
  }

  private static void describe(Thrift chunk, Column column, PageWriter.Place place) {
    chunk.i64(2, place.start).struct(3);
    chunk
        .i32(1, type(column))
        .i32s(2, PageWriter.PLAIN, PageWriter.RUNS, place.encoding)
        .texts(3, column.name())
        .i32(4, 0)
        .i64(5, place.rows)
        .i64(6, place.bytes)
        .i64(7, place.bytes)
        .i64(9, place.dataAt);
    if (place.dictionaryAt >= 0) {
      chunk.i64(11, place.dictionaryAt);
    }
    chunk.struct(12).i64(3, place.nulls);
    if (place.hasRange) {
      chunk.longBytes(5, place.max).longBytes(6, place.min);
    }
    chunk.end().end().end();
  }

  private static int type(Column column) {
    return switch (column.kind()) {
      case TEXT -> BYTE_ARRAY;
      case FLAG -> BOOLEAN;
      default -> INT64;
    };
  }
}
