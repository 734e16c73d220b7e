/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  @Test
  void fieldsThatNobodyNeedsAreSteppedOverAtAnyDepth() throws IOException {
    assertThat(read("{\"a\":{\"x\":[1,{}],\"b\":2},\"x\":{}}", 10))
        .isEqualTo(Map.of("a", Map.of("b", 2)));
  }

  @Test
  void valuesAreCountedAtAnyDepth() throws IOException {
    assertThat(read("[1,[2,3]]", 5)).isEqualTo(List.of(1, List.of(2, 3)));
    assertThatIOException()
        .isThrownBy(() -> read("[1,[2,3]]", 4))
        .withMessage("the JSON has too many values");
  }

  private static Object read(String text, int maxValues) throws IOException {
    try (JsonParser parser = ValueReader.factory(10, 100).createParser(text)) {
      parser.nextToken();
      return new ValueReader(Set.of("x"), maxValues).value(parser);
    }
  }
}
