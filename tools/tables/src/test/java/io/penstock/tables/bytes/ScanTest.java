/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Searches of eight bytes at a time find what a search byte by byte finds. */
class ScanTest {
  private static final int TEXTS = 20_000;
  private static final int LONGEST = 70;

  /** Bytes that a wrong test of a word takes for one another, and some beside them. */
  private static final byte[] NEAR = {
    '"', '\n', '*', 2, '!', '#', 0, -1, -128, 127, ' ', 31, '&', 'a', (byte) ('"' | 0x80)
  };

  private final long seed = Long.getLong("penstock.test.seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void everyPositionIsTheFirst() {
    for (int i = 0; i < TEXTS; i++) {
      byte[] text = text();
      int start = random.nextInt(text.length + 1);
      int end = start + random.nextInt(text.length - start + 1);
      assertThat(Scan.find(text, start, end, '"'))
          .as(of(text))
          .isEqualTo(first(text, start, end, "\""));
      assertThat(Scan.findQuoteOrLineFeed(text, start, end))
          .as(of(text))
          .isEqualTo(first(text, start, end, "\"\n"));
      assertThat(Scan.findEither(text, start, end, '&', ' '))
          .as(of(text))
          .isEqualTo(first(text, start, end, "& "));
      assertThat(Scan.findBlank(text, start, end)).as(of(text)).isEqualTo(blank(text, start, end));
      assertThat(Scan.findLast(text, start, end, '"'))
          .as(of(text))
          .isEqualTo(last(text, start, end));
    }
  }

  @Test
  void allEightBytesAreTold() {
    for (int i = 0; i < TEXTS; i++) {
      byte[] text = Arrays.copyOf(text(), LONGEST);
      int start = random.nextInt(LONGEST - Long.BYTES);
      long found = Scan.all(text, start, '"');
      for (int at = 0; at < Long.BYTES; at++) {
        long highest = 0x80L << (at * Byte.SIZE);
        assertThat(found & highest).as(of(text)).isEqualTo(text[start + at] == '"' ? highest : 0);
      }
      assertThat(found & 0x7f7f7f7f7f7f7f7fL).as(of(text)).isZero();
    }
  }

  @Test
  void textsAreEqualIfAllBytesAre() {
    for (int i = 0; i < TEXTS; i++) {
      byte[] text = text();
      int start = random.nextInt(text.length + 1);
      int length = random.nextInt(text.length - start + 1);
      byte[] other = new byte[length + 3];
      System.arraycopy(text, start, other, 3, length);
      assertThat(Scan.areEqual(text, start, other, 3, length)).as(of(text)).isTrue();
      if (length > 0) {
        other[3 + random.nextInt(length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        assertThat(Scan.areEqual(text, start, other, 3, length)).as(of(text)).isFalse();
      }
    }
  }

  private byte[] text() {
    byte[] text = new byte[random.nextInt(LONGEST)];
    boolean isSparse = random.nextBoolean();
    for (int i = 0; i < text.length; i++) {
      text[i] = isSparse && random.nextInt(20) > 0 ? (byte) 'x' : NEAR[random.nextInt(NEAR.length)];
    }
    return text;
  }

  private String of(byte[] text) {
    return Arrays.toString(text) + ", replay with -Dtest=ScanTest -Dpenstock.test.seed=" + seed;
  }

  private static int first(byte[] text, int start, int end, String wanted) {
    int i = start;
    while (i < end && wanted.indexOf(text[i]) < 0) {
      i++;
    }
    return i;
  }

  private static int blank(byte[] text, int start, int end) {
    int i = start;
    while (i < end && (text[i] < 0 || text[i] > ' ')) {
      i++;
    }
    return i;
  }

  private static int last(byte[] text, int start, int end) {
    int i = end - 1;
    while (i >= start && text[i] != '"') {
      i--;
    }
    return i;
  }
}
