/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonPrefixesTest {
  @ParameterizedTest(name = "{0} behind {1}, {2} at most: {3}")
  @CsvSource({
    "b/ c/, a/x, 2, b/ c/",
    "b/ c/, a/x, 1, ''",
    "b1/ b2/ c/, a/x, 2, b c/",
    "b1/ b2/ c/, a/x, 3, b1/ b2/ c/",
    // The listed key begins like the first names, which are left out.
    "b2/ b3/ c1/ c2/, b1/x, 1, c",
    "b2/ b3/ c1/ c2/, b1/x, 3, b2/ b3/ c",
    // An object whose name begins the directory's is found by the same start.
    "b b/ c/, a, 2, b c/",
    "b b/ c/, a, 9, b c/",
    "'', a, 9, ''",
  })
  void namesAreGroupedByTheirStarts(String names, String listed, int most, String starts) {
    assertThat(CommonPrefixes.of(words(names), listed, most)).isEqualTo(words(starts));
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
  }

  @Test
  void theLargestGroupsAreDividedFirst() {
    List<String> days =
        IntStream.range(0, 100).mapToObj("d=%03d/"::formatted).map(String::toString).toList();
    List<String> starts = CommonPrefixes.of(days.subList(13, 100), "d=012/part-7", 16);
    assertThat(starts).startsWith("d=013/", "d=014/").contains("d=02", "d=09").hasSize(15);
  }

  @Test
  void aCharacterIsNotCutInTwo() {
    List<String> names = List.of("\ud83d\ude00/", "\ud83d\ude01/");
    assertThat(CommonPrefixes.of(names, "a", 1)).isEmpty();
    assertThat(CommonPrefixes.of(names, "a", 2)).isEqualTo(names);
  }
}
