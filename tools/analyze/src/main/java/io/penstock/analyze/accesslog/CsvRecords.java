/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/** Reads records of CSV (RFC 4180): a quoted field may have commas, line breaks and quotes. */
final class CsvRecords {
  /** A longer field is no log's: it is a file with a quote that nothing ends. */
  private static final int MOST_CHARS = 1 << 20;

  private static final int END = -1;

  private final Reader in;

  CsvRecords(Reader in) {
    this.in = in;
  }

  /** Returns the fields of the next record; null at the end. */
  List<String> next() throws IOException {
    int one = read();
    while (one == '\r' || one == '\n') {
      one = read();
    }
    if (one == END) {
      return null;
    }
    List<String> fields = new ArrayList<>();
    while (true) {
      StringBuilder field = new StringBuilder();
      one = one == '"' ? quoted(field) : plain(one, field);
      fields.add(field.toString());
      if (one != ',') {
        return fields;
      }
      one = read();
    }
  }

  private int quoted(StringBuilder field) throws IOException {
    for (int one = read(); one != END; one = read()) {
      if (one == '"') {
        one = read();
        if (one != '"') {
          return plain(one, field);
        }
      }
      add(one, field);
    }
    return END;
  }

  private int plain(int first, StringBuilder field) throws IOException {
    int one = first;
    while (one != ',' && one != '\r' && one != '\n' && one != END) {
      add(one, field);
      one = read();
    }
    return one;
  }

  private static void add(int one, StringBuilder field) throws IOException {
    if (field.length() >= MOST_CHARS) {
      throw new IOException("a field of the CSV has no end within " + MOST_CHARS + " characters");
    }
    field.append((char) one);
  }

  private int read() throws IOException {
    return in.read();
  }
}
