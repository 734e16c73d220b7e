/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserMetadataTest {
  @Test
  void namesAreInLowerCaseAndValuesAsTheyAre() {
    assertThat(UserMetadata.of(Map.of("Run-Id", "Team A/417")).values())
        .isEqualTo(Map.of("run-id", "Team A/417"));
    assertThat(UserMetadata.of(Map.of())).isEqualTo(UserMetadata.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "a b,     x,        cannot have metadata with the name 'a b'",
        "||,      x,        cannot have metadata with the name ''",
        "penstock-write, x, no name may begin with penstock-",
        "a,       ||,       must have a value of printable ASCII",
        "a,       | x|,     without blanks at its ends",
        "a,       größe,    printable ASCII",
      })
  void whatStoresDoNotKeepIsRefused(String name, String value, String why) {
    assertThatThrownBy(() -> UserMetadata.of(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void tooMuchIsRefused() {
    assertThat(UserMetadata.of(Map.of("a", "x".repeat(1_888))).isEmpty()).isFalse();
    assertThatThrownBy(() -> UserMetadata.of(Map.of("a", "x".repeat(1_889))))
        .hasMessage("an object can have 1,900 bytes of metadata (11 a name included), not 1,901");
    UserMetadata ofOthers = new UserMetadata(new TreeMap<>(Map.of("a", "grö\u00dfe")));
    assertThat(ofOthers.sendable().isEmpty()).isTrue();
    assertThatThrownBy(() -> UserMetadata.of(Map.of("a", "x\r\nX-Evil: 1")))
        .hasMessageContaining("printable ASCII");
    assertThatThrownBy(() -> UserMetadata.of(Map.of("a", "x", "A", "y")))
        .hasMessageContaining("given twice");
  }
}
