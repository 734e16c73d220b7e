/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void valuesAreWhatTheySay() throws IOException {
    assertThat(Json.parse("{\"a\":[1,2.5,true,\"x\",{}]}"))
        .isEqualTo(Map.of("a", List.of(1, 2.5, true, "x", Map.of())));
    assertThat(Json.whole(Json.parse("9007199254740993"))).contains(9007199254740993L);
    assertThat(Json.parse("null")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "{\"a\"}",
        "{\"a\":}",
        "[1,",
        "[1",
        "\"",
        "nul",
        "{} x",
        "{}{}",
        "\u0000",
        "{\"a\":1",
        "{\"a\":[}",
        "-",
        "tru"
      })
  void whatIsNotOneValueIsRefused(String text) {
    assertThatIOException().isThrownBy(() -> Json.parse(text));
  }

  @Test
  void depthIsLimited() {
    assertThatIOException().isThrownBy(() -> Json.parse("[".repeat(1_000_000)));
    assertThatIOException().isThrownBy(() -> Json.parse("{\"a\":".repeat(100_000)));
  }

  @Test
  void lengthIsLimited() {
    assertThatIOException().isThrownBy(() -> Json.parse("\"" + "x".repeat(3 << 20) + "\""));
    assertThatIOException().isThrownBy(() -> Json.parse("1".repeat(100_000)));
  }
}
