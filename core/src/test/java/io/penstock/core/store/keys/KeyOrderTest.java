/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
  /** At the edges of UTF-8's lengths, around the surrogates, and common ones. */
  private static final int[] CODE_POINTS = {
    0x21, 0x2f, 0x30, 0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffee, 0xffff, 0x10000,
    0x1f600, 0x10ffff
  };

  @Test
  void keysAreOrderedAsTheirUtf8Bytes() {
    for (long seed = 1; seed <= 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String left = key(random);
      String right = random.nextInt(3) == 0 ? left + key(random) : key(random);
      int expected =
          Integer.signum(Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8)));
      assertThat(Integer.signum(KeyOrder.INSTANCE.compare(left, right)))
          .as("seed %d: '%s' and '%s'", seed, left, right)
          .isEqualTo(expected);
    }
  }

  private static String key(SplittableRandom random) {
    StringBuilder key = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      key.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
    }
    return key.toString();
  }
}
