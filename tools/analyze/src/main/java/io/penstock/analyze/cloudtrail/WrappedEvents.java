/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The events in a text that has them inside of something else, one after another and as JSON: as
 * CloudWatch Logs, EventBridge and others wrap them. An event begins with its version. Where it is
 * a string of JSON, or a field of CSV, its quotes are written as there.
 */
final class WrappedEvents extends InputStream {
  static final String FIRST_NAME = "eventVersion";

  /** The brace, blanks, escaped quotes and the name: more is not looked at. */
  private static final int LOOK_AHEAD = 64;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int OF_CSV = -1;
  private static final int NONE = -2;

  private final BufferedInputStream in;

  /** The number of strings of JSON that the event is within, or {@link #OF_CSV}. */
  private int level = NONE;

  private int depth;
  private boolean inString;
  private boolean isEscaped;
  private byte[] more = {};
  private int given;

  WrappedEvents(InputStream text) {
    this.in = new BufferedInputStream(text, BUFFER_BYTES);
  }

  @Override
  public int read() throws IOException {
    if (given < more.length) {
      return more[given++] & 0xff;
    }
    if (depth == 0) {
      return toEvent() ? read() : -1;
    }
    try {
      int one = level == OF_CSV ? ofCsv() : unescaped(level);
      count(one);
      return one;
    } catch (EOFException e) {
      depth = 0;
      return -1;
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = 0;
    while (count < length) {
      int one = read();
      if (one < 0) {
        break;
      }
      into[offset + count++] = (byte) one;
    }
    return count == 0 && length > 0 ? -1 : count;
  }

  private boolean toEvent() throws IOException {
    inString = false;
    isEscaped = false;
    for (int one = in.read(); one >= 0; one = in.read()) {
      if (one == '{') {
        in.mark(LOOK_AHEAD);
        level = level(in.readNBytes(LOOK_AHEAD));
        in.reset();
        if (level != NONE) {
          depth = 1;
          give("\n{");
          return true;
        }
      }
    }
    return false;
  }

  /** Makes a text the next to be read. */
  private void give(String text) {
    more = text.getBytes(StandardCharsets.UTF_8);
    given = 0;
  }

  /** Returns how the quote before an event's first name is written. */
  static int level(byte[] ahead) {
    int at = 0;
    while (at < ahead.length && isBlank(ahead, at)) {
      at += ahead[at] == '\\' ? 2 : 1;
    }
    int backslashes = at;
    while (at < ahead.length && ahead[at] == '\\') {
      at++;
    }
    backslashes = at - backslashes;
    int quotes = at;
    while (at < ahead.length && ahead[at] == '"') {
      at++;
    }
    quotes = at - quotes;
    String name = new String(ahead, at, ahead.length - at, StandardCharsets.ISO_8859_1);
    if (!name.startsWith(FIRST_NAME)) {
      return NONE;
    }
    if (quotes == 2) {
      return backslashes == 0 ? OF_CSV : NONE;
    }
    // One backslash within a string, three within a string within it.
    return quotes != 1
        ? NONE
        : Integer.bitCount(backslashes + 1) == 1 ? log2(backslashes + 1) : NONE;
  }

  private static int log2(int power) {
    return Integer.numberOfTrailingZeros(power);
  }

  /** Blanks, and those that a string of JSON writes as \n or \t. */
  private static boolean isBlank(byte[] ahead, int at) {
    return (ahead[at] >= 0 && ahead[at] <= ' ')
        || (ahead[at] == '\\'
            && at + 1 < ahead.length
            && (ahead[at + 1] == 'n' || ahead[at + 1] == 't' || ahead[at + 1] == 'r'));
  }

  private int raw() throws IOException {
    int one = in.read();
    if (one < 0) {
      throw new EOFException();
    }
    return one;
  }

  private int ofCsv() throws IOException {
    int one = raw();
    if (one == '"' && raw() != '"') { // the end of the field, within an event that is cut
      throw new EOFException();
    }
    return one;
  }

  private int unescaped(int levels) throws IOException {
    if (levels == 0) {
      return raw();
    }
    int one = unescaped(levels - 1);
    if (one != '\\') {
      return one;
    }
    int code = unescaped(levels - 1);
    return switch (code) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b', 'f' -> ' ';
      case 'u' -> unicode(levels);
      default -> code;
    };
  }

  /** A character by its code, as its UTF-8, of which the first byte is returned. */
  private int unicode(int levels) throws IOException {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      digits.append((char) unescaped(levels - 1));
    }
    int code;
    try {
      code = Integer.parseInt(digits.toString(), 16);
    } catch (NumberFormatException e) {
      return '?';
    }
    // Halves of a pair, which stand apart here, are not characters.
    String text = Character.isSurrogate((char) code) ? "?" : String.valueOf((char) code);
    give(text);
    return more[given++] & 0xff;
  }

  private void count(int one) {
    if (inString) {
      if (isEscaped) {
        isEscaped = false;
      } else if (one == '\\') {
        isEscaped = true;
      } else if (one == '"') {
        inString = false;
      }
    } else if (one == '"') {
      inString = true;
    } else if (one == '{') {
      depth++;
    } else if (one == '}') {
      depth--;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
