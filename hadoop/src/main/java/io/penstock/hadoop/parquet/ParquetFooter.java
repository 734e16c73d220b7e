/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.parquet;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads from the footer of a Parquet file where its row groups are. The fields are those of {@code
 * parquet.thrift} in apache/parquet-format; all others are skipped.
 */
final class ParquetFooter {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** The length of the footer, 4 bytes, and the magic. */
  private static final int TRAILER_BYTES = 8;

  // FileMetaData
  private static final int ROW_GROUPS = 4;
  // RowGroup
  private static final int COLUMNS = 1;
  // ColumnChunk
  private static final int FILE_PATH = 1;
  private static final int META_DATA = 3;
  // ColumnMetaData
  private static final int TOTAL_COMPRESSED_SIZE = 7;
  private static final int DATA_PAGE_OFFSET = 9;
  private static final int DICTIONARY_PAGE_OFFSET = 11;

  private ParquetFooter() {}

  /**
   * Returns the row groups in the order of the footer. Empty if the bytes do not contain the whole
   * footer of a Parquet file, if the footer or a column is encrypted, or if a column is in another
   * file.
   *
   * @param tail the last bytes of the file
   */
  static Optional<List<RowGroup>> rowGroups(ObjectSlice tail) {
    byte[] bytes = tail.bytes();
    int trailer = bytes.length - TRAILER_BYTES;
    if (tail.end() != tail.meta().sizeBytes() || trailer < 0 || !endsWithMagic(bytes)) {
      return Optional.empty();
    }
    int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(trailer);
    if (length < 0 || length > trailer) {
      return Optional.empty();
    }
    try {
      long dataEnd = tail.end() - TRAILER_BYTES - length;
      return Optional.of(
          fileMetaData(new CompactThrift(bytes, trailer - length, trailer), dataEnd));
    } catch (IOException e) {
      return Optional.empty(); // It is no footer that we can use; the reader of the file will tell.
    }
  }

  private static boolean endsWithMagic(byte[] bytes) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (bytes[bytes.length - MAGIC.length + i] != MAGIC[i]) {
        return false;
      }
    }
    return true;
  }

  private static List<RowGroup> fileMetaData(CompactThrift thrift, long dataEnd)
      throws IOException {
    List<RowGroup> groups = new ArrayList<>();
    thrift.struct(
        (id, type) -> {
          if (id == ROW_GROUPS) {
            thrift.structs(type, () -> groups.add(rowGroup(thrift, dataEnd)));
          } else {
            thrift.skip(type);
          }
        });
    return groups;
  }

  private static RowGroup rowGroup(CompactThrift thrift, long dataEnd) throws IOException {
    List<ByteRange> columns = new ArrayList<>();
    thrift.struct(
        (id, type) -> {
          if (id == COLUMNS) {
            thrift.structs(type, () -> columns.add(columnChunk(thrift, dataEnd)));
          } else {
            thrift.skip(type);
          }
        });
    if (columns.isEmpty()) {
      throw new IOException("a row group has no columns");
    }
    return new RowGroup(columns);
  }

  private static ByteRange columnChunk(CompactThrift thrift, long dataEnd) throws IOException {
    Chunk chunk = new Chunk();
    thrift.struct(
        (id, type) -> {
          if (id == META_DATA) {
            thrift.struct(type, (inner, innerType) -> chunk.read(thrift, inner, innerType));
          } else if (id == FILE_PATH) {
            throw new IOException("a column in another file");
          } else {
            thrift.skip(type);
          }
        });
    return chunk.range(dataEnd);
  }

  /** The numbers of a ColumnMetaData. */
  private static final class Chunk {
    private long sizeBytes;
    private long dataOffset;
    private long dictionaryOffset;

    void read(CompactThrift thrift, int id, int type) throws IOException {
      switch (id) {
        case TOTAL_COMPRESSED_SIZE -> sizeBytes = thrift.number(type);
        case DATA_PAGE_OFFSET -> dataOffset = thrift.number(type);
        case DICTIONARY_PAGE_OFFSET -> dictionaryOffset = thrift.number(type);
        default -> thrift.skip(type);
      }
    }

    ByteRange range(long dataEnd) throws IOException {
      // Some writers set the dictionary's offset to 0 where there is none.
      boolean hasDictionary = dictionaryOffset > 0 && dictionaryOffset < dataOffset;
      long start = hasDictionary ? dictionaryOffset : dataOffset;
      if (start <= 0 || sizeBytes <= 0 || sizeBytes > dataEnd - start) {
        throw new IOException("a column lies outside the file");
      }
      return new ByteRange(start, start + sizeBytes);
    }
  }
}
