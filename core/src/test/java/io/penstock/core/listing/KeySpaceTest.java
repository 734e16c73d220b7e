/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.store.keys.KeyOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeySpaceTest {
  @ParameterizedTest
  @CsvSource({
    "t/p=1/a, t/p=9/z, t/p=5",
    "part-00000-x, part-00999-y, part-0049",
    "00ab, ffcd, 8",
    "00AB, FFCD, 8",
    "day=2024-01-31, day=2024-11-02, day=2024-0",
  })
  void theMiddleIsBetweenNumbers(String low, String high, String middleStart) {
    assertThat(KeySpace.between(low, high).orElseThrow()).startsWith(middleStart);
  }

  @ParameterizedTest
  @CsvSource({
    "t/, t/p=0/a, t/p=1/b, 4, t/p=5",
    "t/, t/p=10, t/p=19, 1, t/p=1~",
    // behind all keys that begin with t/p=
    "t/, t/p=1/a, t/p=5/b, 4, t/p=~",
  })
  void whatLiesBeyondIsSomeTimesAsFar(
      String prefix, String first, String last, double times, String beyond) {
    assertThat(KeySpace.beyond(prefix, first, last, times).orElseThrow()).startsWith(beyond);
  }

  @Test
  void nothingIsBeyondThePrefix() {
    assertThat(KeySpace.beyond("t/", "t/1", "t/9", 4)).isEmpty();
  }

  @Test
  void theWayThatIsLeftIsMeasuredByTheWayDone() {
    assertThat(KeySpace.left("p=0", "p=2", "p=8")).isCloseTo(3, within(1e-9));
    assertThat(KeySpace.left("p=0", "p=0", "p=8")).isInfinite();
    assertThat(KeySpace.left("p=0", "p=8", "p=8")).isZero();
  }

  /** Whatever the keys are, a name is strictly between them. */
  @Test
  void namesDivideAnyKeys() {
    for (long seed = 1; seed <= 50_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String a = key(random);
      String b = random.nextBoolean() ? key(random) : a + key(random);
      String low = KeyOrder.INSTANCE.compare(a, b) < 0 ? a : b;
      String high = low.equals(a) ? b : a;
      if (low.equals(high)) {
        continue;
      }
      KeySpace.between(low, high).ifPresent(name -> assertIsBetween(low, name, high));
      KeySpace.beyond("", low, high, 4)
          .ifPresent(name -> assertThat(KeyOrder.INSTANCE.compare(high, name)).isNegative());
      assertThat(KeySpace.left(low, low, high)).as("seed %d", seed).isNotNegative();
    }
  }

  private static void assertIsBetween(String low, String name, String high) {
    assertThat(new String(name.getBytes(UTF_8), UTF_8)).isEqualTo(name);
    assertThat(KeyOrder.INSTANCE.compare(low, name)).as("%s, %s", low, name).isNegative();
    assertThat(KeyOrder.INSTANCE.compare(name, high)).as("%s, %s", name, high).isNegative();
  }

  private static String key(SplittableRandom random) {
    String[] some = {
      "0", "1", "9", "a", "f", "A", "F", "z", "~", "/", "-", "=", "ü", "\uffee", "😀", "🚀"
    };
    StringBuilder key = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      key.append(some[random.nextInt(some.length)]);
    }
    return key.toString();
  }
}
