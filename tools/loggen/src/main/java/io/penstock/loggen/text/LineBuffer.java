/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.text;

import io.penstock.loggen.chance.Mix;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text buffer for a file. Adds text as bytes, without creating strings. */
public final class LineBuffer {
  private static final byte[] HEX = bytes("0123456789ABCDEF");
  private static final byte[] HEX_SMALL = bytes("0123456789abcdef");
  private static final byte[] BASE64 =
      bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  private static final byte[] NAME64 =
      bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.");

  /** The maximum length of a line. */
  private static final int ROOM = 1 << 14;

  private byte[] bytes = new byte[1 << 17];
  private int size;

  /** Returns the text as UTF-8. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the number of bytes in the buffer. */
  public int size() {
    return size;
  }

  /** Makes room for another line. Writes the buffer to the file when it is full. */
  public void flushWhenFull(OutputStream out) throws IOException {
    if (size > bytes.length - ROOM) {
      flush(out);
    }
  }

  /** Writes the buffer to the file. */
  public void flush(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
    size = 0;
  }

  /** Appends bytes. */
  public LineBuffer put(byte[] text) {
    System.arraycopy(text, 0, room(text.length), size, text.length);
    size += text.length;
    return this;
  }

  /** Appends a text. */
  public LineBuffer put(String text) {
    return put(bytes(text));
  }

  /** Appends an ASCII character. */
  public LineBuffer put(char c) {
    room(1)[size++] = (byte) c;
    return this;
  }

  /** Removes the last byte. */
  public void dropLast() {
    size--;
  }

  /** Appends a copy of a range of the buffer. */
  public LineBuffer repeat(int from, int to) {
    System.arraycopy(room(to - from), from, bytes, size, to - from);
    size += to - from;
    return this;
  }

  /** Appends a number that is not negative. */
  public LineBuffer number(long value) {
    int digits = 1;
    for (long rest = value; rest > 9; rest /= 10) {
      digits++;
    }
    return padded(value, digits);
  }

  /** Appends the last digits of a non-negative number, padded with zeros. */
  public LineBuffer padded(long value, int digits) {
    byte[] target = room(digits);
    long rest = value;
    for (int i = size + digits - 1; i >= size; i--) {
      target[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
    return this;
  }

  /** Appends the last digits of a number in upper-case hexadecimal. */
  LineBuffer hex(long value, int digits) {
    return hex(value, digits, HEX);
  }

  private LineBuffer hex(long value, int digits, byte[] alphabet) {
    byte[] target = room(digits);
    for (int i = 0; i < digits; i++) {
      target[size++] = alphabet[(int) (value >>> (4 * (digits - 1 - i))) & 15];
    }
    return this;
  }

  /** Appends a UUID of these 128 bits. */
  public LineBuffer uuid(long high, long low) {
    hex(high >>> 32, 8, HEX_SMALL).put('-').hex(high >>> 16, 4, HEX_SMALL).put('-');
    hex(high, 4, HEX_SMALL).put('-').hex(low >>> 48, 4, HEX_SMALL).put('-');
    return hex(low, 12, HEX_SMALL);
  }

  /** Appends random text in the form of S3's host ids, which end with an equals sign. */
  LineBuffer base64(long seed, int length) {
    return letters(seed, length - 1, BASE64).put('=');
  }

  /** Appends random text in the form of S3's upload ids, which need no encoding in a URI. */
  LineBuffer name(long seed, int length) {
    return letters(seed, length, NAME64);
  }

  private LineBuffer letters(long seed, int length, byte[] alphabet) {
    byte[] target = room(length);
    long state = seed;
    long bits = 0;
    for (int i = 0; i < length; i++) {
      if (i % 10 == 0) {
        bits = Mix.of(++state);
      }
      target[size++] = alphabet[(int) bits & 63];
      bits >>>= 6;
    }
    return this;
  }

  private byte[] room(int length) {
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    return bytes;
  }
}
