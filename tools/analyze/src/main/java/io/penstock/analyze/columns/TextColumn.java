/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A column of texts, stored as codes of a dictionary. If most texts of a row group differ, they are
 * stored one after another instead, and in the next row groups no code is looked for.
 */
public final class TextColumn implements ColumnChunk {
  private static final int FIRST_SLOTS = 1 << 8;
  private static final int FIRST_HEAP = 1 << 12;
  private static final int MAX_DICTIONARY_SHARE = 2;

  // The texts, each with its length before it, as in a page.
  private final GrowingBytes heap = new GrowingBytes(FIRST_HEAP);
  private final int[] codes = new int[OpenRowGroup.MAX_ROWS];
  private int[] offsets = new int[FIRST_SLOTS / 2];
  // Of the texts as they are stored: a text that had to be mended equals none that is given.
  private int[] lengths = new int[FIRST_SLOTS / 2];
  private long[] hashes = new long[FIRST_SLOTS / 2];
  // The code and 1, or 0 for a free slot.
  private int[] slots = new int[FIRST_SLOTS];
  private int count;
  private int entries;
  private int lastCode = -1;
  private boolean isPlain;

  /** Returns the number of bytes that the texts take. */
  int bytes() {
    return heap.size();
  }

  /**
   * Adds a text, that of the row which is being added, if it is the one that was added last. This
   * needs no hash.
   *
   * @return false if it is another text, which was not added
   */
  public boolean addSame(byte[] text, int start, int end) {
    if (lastCode < 0 || !isAt(lastCode, text, start, end)) {
      return false;
    }
    codes[count++] = lastCode;
    return true;
  }

  /**
   * Adds a text, that of the row which is being added.
   *
   * @param hash a hash of exactly these bytes
   */
  public void add(byte[] text, int start, int end, long hash) {
    if (isPlain) {
      append(text, start, end);
    } else {
      codes[count] = code(text, start, end, hash);
    }
    count++;
  }

  private int code(byte[] text, int start, int end, long hash) {
    int mask = slots.length - 1;
    int slot = (int) (hash >>> Integer.SIZE) & mask;
    while (slots[slot] != 0) {
      int code = slots[slot] - 1;
      if (hashes[code] == hash && isAt(code, text, start, end)) {
        lastCode = code;
        return code;
      }
      slot = (slot + 1) & mask;
    }
    lastCode = entries;
    slots[slot] = entries + 1;
    hashes[entries] = hash;
    offsets[entries] = heap.size();
    append(text, start, end);
    lengths[entries] = heap.size() - offsets[entries] - Integer.BYTES;
    entries++;
    if (entries == offsets.length) {
      grow();
    }
    return lastCode;
  }

  private boolean isAt(int code, byte[] text, int start, int end) {
    return lengths[code] == end - start
        && heap.equalAt(offsets[code] + Integer.BYTES, text, start, end);
  }

  private void grow() {
    offsets = Arrays.copyOf(offsets, entries * 2);
    lengths = Arrays.copyOf(lengths, entries * 2);
    hashes = Arrays.copyOf(hashes, entries * 2);
    int mask = slots.length * 2 - 1;
    slots = new int[slots.length * 2];
    for (int code = 0; code < entries; code++) {
      int slot = (int) (hashes[code] >>> Integer.SIZE) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = code + 1;
    }
  }

  private void append(byte[] text, int start, int end) {
    if (!Utf8.isAscii(text, start, end)) {
      // A log may contain any bytes, but the engine accepts only valid UTF-8.
      byte[] valid =
          new String(text, start, end - start, StandardCharsets.UTF_8)
              .getBytes(StandardCharsets.UTF_8);
      appendValid(valid, 0, valid.length);
    } else {
      appendValid(text, start, end);
    }
  }

  private void appendValid(byte[] text, int start, int end) {
    heap.reserve(Integer.BYTES + end - start);
    heap.addInt(end - start);
    heap.add(text, start, end);
  }

  @Override
  public void write(int column, ColumnPresence presence, PageWriter pages) throws IOException {
    int rows = presence.rows();
    GrowingBytes page = pages.page();
    if (!isPlain && entries > count / MAX_DICTIONARY_SHARE && entries > FIRST_SLOTS) {
      presence.write(column, count, page);
      addPlainFromCodes(page);
      pages.data(rows, PageWriter.PLAIN);
      isPlain = true;
    } else if (isPlain) {
      presence.write(column, count, page);
      page.reserve(heap.size());
      page.add(heap, 0, heap.size());
      pages.data(rows, PageWriter.PLAIN);
    } else {
      if (entries > 0) {
        pages.dictionary(heap, entries);
      }
      presence.write(column, count, page);
      Runs.write(codes, count, Runs.width(Math.max(entries - 1, 0)), page);
      pages.data(rows, PageWriter.DICTIONARY);
    }
    pages.nulls(rows - count);
    clear();
  }

  private void addPlainFromCodes(GrowingBytes page) {
    for (int i = 0; i < count; i++) {
      int offset = offsets[codes[i]];
      int end = offset + Integer.BYTES + heap.intAt(offset);
      page.reserve(end - offset);
      page.add(heap, offset, end);
    }
  }

  private void clear() {
    count = 0;
    heap.clear();
    if (entries > 0) {
      Arrays.fill(slots, 0);
    }
    entries = 0;
    lastCode = -1;
  }
}
