/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the pages of one column after another, and remembers where they are. */
final class PageWriter {
  /** Values one after another. */
  static final int PLAIN = 0;

  /** Runs of levels or codes. */
  static final int RUNS = 3;

  /** Codes of a dictionary. */
  static final int DICTIONARY = 8;

  private static final int DATA_PAGE = 0;
  private static final int DICTIONARY_PAGE = 2;

  /** The place of a column's pages in the file, and the facts that the footer tells of them. */
  static final class Place {
    long start;
    long dictionaryAt = -1;
    long dataAt;
    long bytes;
    int encoding;
    int rows;
    long nulls;
    boolean hasRange;
    long min;
    long max;

    /** Returns the position after the last value. */
    long end() {
      return start + bytes;
    }
  }

  private final OutputStream out;
  private final GrowingBytes header = new GrowingBytes(128);
  private final GrowingBytes page = new GrowingBytes(1 << 16);
  private long written;
  private Place place;

  PageWriter(OutputStream out, long written) {
    this.out = out;
    this.written = written;
  }

  /** Starts a column; returns what is then known of it once its pages are written. */
  Place startColumn() {
    place = new Place();
    place.start = written;
    return place;
  }

  /** Returns the bytes of the page that is being made. */
  GrowingBytes page() {
    return page;
  }

  long written() {
    return written;
  }

  void dictionary(GrowingBytes entries, int count) throws IOException {
    place.dictionaryAt = written;
    header.clear();
    new Thrift(header)
        .i32(1, DICTIONARY_PAGE)
        .i32(2, entries.size())
        .i32(3, entries.size())
        .struct(7)
        .i32(1, count)
        .i32(2, PLAIN)
        .end()
        .end();
    write(entries);
  }

  /** Ends the page with the entries of a dictionary, which is {@link #page}. */
  void dictionary(int count) throws IOException {
    dictionary(page, count);
    page.clear();
  }

  /** Ends the page with the values of all rows. */
  void data(int rows, int encoding) throws IOException {
    place.dataAt = written;
    place.encoding = encoding;
    place.rows = rows;
    header.clear();
    new Thrift(header)
        .i32(1, DATA_PAGE)
        .i32(2, page.size())
        .i32(3, page.size())
        .struct(5)
        .i32(1, rows)
        .i32(2, encoding)
        .i32(3, RUNS)
        .i32(4, RUNS)
        .end()
        .end();
    write(page);
    page.clear();
    place.bytes = written - place.start;
  }

  private void write(GrowingBytes content) throws IOException {
    header.writeTo(out);
    content.writeTo(out);
    written += header.size() + content.size();
  }

  void nulls(long count) {
    place.nulls = count;
  }

  void range(long min, long max) {
    place.hasRange = true;
    place.min = min;
    place.max = max;
  }
}
