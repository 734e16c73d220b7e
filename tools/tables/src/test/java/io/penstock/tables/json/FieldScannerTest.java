/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields that are found in one pass, and what is stepped over, refused or too short. */
class FieldScannerTest {
  private static final int SHORT = -1;
  private static final int BAD = -2;

  private final FieldScanner scanner = new FieldScanner(new FieldTree(List.of("a", "b", "in/x")));
  private final int a = 0;
  private final int b = 1;
  private final int x = 2;

  private int scan(String json) {
    byte[] bytes = json.getBytes(UTF_8);
    return scanner.scan(bytes, 0, bytes.length);
  }

  private void assertWhole(String json) {
    assertThat(scan(json)).as(json).isEqualTo(json.getBytes(UTF_8).length);
  }

  // ---- what is found

  @Test
  void wantedFieldsAreFoundInAnyOrderAndOthersAreNot() {
    assertWhole("{\"other\":1,\"b\":\"two\",\"in\":{\"y\":3,\"x\":\"four\"},\"a\":5}");
    assertThat(scanner.text(a)).isEqualTo("5");
    assertThat(scanner.text(b)).isEqualTo("two");
    assertThat(scanner.text(x)).isEqualTo("four");
  }

  @Test
  void aFieldThatIsMissingNullOrOfAnEarlierObjectHasNoValue() {
    scan("{\"a\":1,\"b\":2,\"in\":{\"x\":3}}");
    assertWhole("{\"a\":null}");
    for (int field : new int[] {a, b, x}) {
      assertThat(scanner.has(field)).isFalse();
      assertThat(scanner.is(field, new byte[0])).isFalse();
      assertThat(scanner.bytes(field)).isNull();
      assertThat(scanner.text(field)).isNull();
      assertThat(scanner.number(field)).isEqualTo(-1);
      assertThat(scanner.micros(field)).isEqualTo(Long.MIN_VALUE);
    }
  }

  @Test
  void anEmptyTextIsAValue() {
    assertWhole("{\"a\":\"\"}");
    assertThat(scanner.has(a)).isTrue();
    assertThat(scanner.text(a)).isEmpty();
    assertThat(scanner.number(a)).isEqualTo(-1);
  }

  @Test
  void ofDuplicatesTheLastCounts() {
    assertWhole("{\"a\":1,\"b\":2,\"a\":\"three\"}");
    assertThat(scanner.text(a)).isEqualTo("three");
    assertThat(scanner.text(b)).isEqualTo("2");
  }

  @Test
  void aNameThatOnlyBeginsOrEndsLikeAWantedOneIsAnother() {
    assertWhole("{\"aa\":1,\"\":2,\"A\":3,\"inn\":{\"x\":4},\"x\":5}");
    assertThat(scanner.has(a)).isFalse();
    assertThat(scanner.has(x)).isFalse();
  }

  @Test
  void aWantedFieldMayHoldAnObjectWithWantedFields() {
    FieldScanner both = new FieldScanner(new FieldTree(List.of("a", "a/b")));
    byte[] json = "{\"a\":{\"b\":1}}".getBytes(UTF_8);
    assertThat(both.scan(json, 0, json.length)).isEqualTo(13);
    assertThat(both.has(0)).isFalse();
    assertThat(both.text(1)).isEqualTo("1");
  }

  @Test
  void whiteSpaceMayStandBetweenAll() {
    String json = " \n{ \t\"a\" :\r1 , \"in\" : { \"x\" : \"y z\" } }";
    assertWhole(json);
    assertThat(scanner.text(a)).isEqualTo("1");
    assertThat(scanner.text(x)).isEqualTo("y z");
  }

  @Test
  void anObjectIsFoundWithinItsBoundsAndTheNextBeginsWhereItEnds() {
    byte[] bytes = "[{\"a\":1},{\"a\":22}]".getBytes(UTF_8);
    assertThat(scanner.scan(bytes, 1, bytes.length)).isEqualTo(8);
    assertThat(scanner.text(a)).isEqualTo("1");
    assertThat(scanner.scan(bytes, 9, bytes.length)).isEqualTo(17);
    assertThat(scanner.position()).isEqualTo(17);
    assertThat(scanner.text(a)).isEqualTo("22");
  }

  // ---- escapes

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '`',
      value = {
        "\\\" `\"`",
        "\\\\ \\",
        "\\/ /",
        "x\\ty `x\ty`",
        "x\\ny `x\ny`",
        "x\\ry `x\ry`",
        "x\\by `x\by`",
        "x\\fy `x\fy`",
        "\\u0041\\u00fc\\u8a9e Aü語",
        "\\u00FC\\u8A9E ü語",
        "\\ud83d\\ude00! 😀!",
        "\\uD83D\\uDE00 😀",
        "\\\\u0041 \\u0041",
        "ü語😀 ü語😀"
      })
  void escapesAreUndone(String escaped, String text) {
    assertWhole("{\"a\":\"" + escaped + "\",\"b\":2}");
    assertThat(scanner.text(a)).isEqualTo(text);
    assertThat(scanner.text(b)).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "\\ud83d ?",
        "\\ude00 ?",
        "\\ud83dx ?x",
        "\\ud83d\\n ?|",
        "\\ud83d\\u0041 ?A",
        "\\ude00\\ud83d ??",
        "\\ud83d\\ud83d\\ude00 ?😀"
      })
  void halfAPairBecomesAQuestionMark(String escaped, String text) {
    assertWhole("{\"a\":\"" + escaped + "\"}");
    assertThat(scanner.text(a)).isEqualTo(text.replace('|', '\n'));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\x", "\\u12", "\\u12g4", "\\u", "\\U0041"})
  void anEscapeThatMeansNothingStaysAsItIs(String escape) {
    assertWhole("{\"a\":\"" + escape + "\"}");
    assertThat(scanner.text(a)).isEqualTo(escape);
  }

  @Test
  void anEscapedQuoteEndsNothing() {
    assertWhole("{\"other\":\"\\\"}\",\"skipped\":[\"\\\"]\"],\"a\":\"\\\\\",\"b\":1}");
    assertThat(scanner.text(a)).isEqualTo("\\");
    assertThat(scanner.text(b)).isEqualTo("1");
  }

  @Test
  void aNameWithAnEscapeIsNotAWantedOne() {
    assertWhole("{\"\\u0061\":1}");
    assertThat(scanner.has(a)).isFalse();
  }

  @Test
  void aValueIsComparedAsItStandsThere() {
    scan("{\"a\":\"PUT\",\"b\":\"P\\u0055T\"}");
    byte[] put = "PUT".getBytes(UTF_8);
    assertThat(scanner.is(a, put)).isTrue();
    assertThat(scanner.is(a, "PU".getBytes(UTF_8))).isFalse();
    assertThat(scanner.is(b, put)).as("its escape is not undone").isFalse();
  }

  // ---- what is stepped over

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"a\":7}",
        "[{\"a\":7},[\"a\",{\"b\":[]}]]",
        "{\"deep\":{\"a\":\"}]\"}}",
        "[\"]\",\"\\\"]\",\"{\"]",
        "\"a\"",
        "-1.5e+10",
        "true",
        "null"
      })
  void anUnwantedValueIsSteppedOverWhateverIsInIt(String value) {
    assertWhole("{\"other\":" + value + ",\"b\":2}");
    assertThat(scanner.has(a)).isFalse();
    assertThat(scanner.text(b)).isEqualTo("2");
  }

  @Test
  void anArrayHoldsNoWantedField() {
    assertWhole("{\"a\":[1,2],\"in\":[{\"x\":1}],\"b\":2}");
    assertThat(scanner.has(a)).isFalse();
    assertThat(scanner.has(x)).isFalse();
    assertThat(scanner.text(b)).isEqualTo("2");
  }

  @Test
  void aWantedFieldThatIsNotAnObjectHasNoFields() {
    assertWhole("{\"in\":\"x\",\"a\":1}");
    assertThat(scanner.has(x)).isFalse();
    assertThat(scanner.text(a)).isEqualTo("1");
  }

  @Test
  void whatIsSteppedOverMayBeAsDeepAsItLikes() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    assertWhole("{\"other\":" + deep + ",\"a\":1}");
    assertThat(scanner.text(a)).isEqualTo("1");
  }

  // ---- depth

  /** Scans an object in so many others, whose field is wanted. */
  private static int scanWanted(int objects) {
    String path = String.join("/", Collections.nCopies(objects, "d")) + "/last";
    FieldScanner deep = new FieldScanner(new FieldTree(List.of(path)));
    String json = "{\"d\":".repeat(objects) + "{\"last\":1}" + "}".repeat(objects);
    int end = deep.scan(json.getBytes(UTF_8), 0, json.length());
    assertThat(deep.has(0)).isEqualTo(end == json.length());
    return end;
  }

  @Test
  void wantedFieldsMayBeAHundredObjectsDeepAndNoDeeper() {
    assertThat(scanWanted(100)).isEqualTo(100 * 5 + 10 + 100);
    assertThat(scanWanted(101)).isEqualTo(BAD);
  }

  // ---- what is refused

  @Test
  void theProblemsHaveNumbersThatNoPositionHas() {
    assertThat(FieldScanner.SHORT).isEqualTo(-1);
    assertThat(FieldScanner.BAD).isEqualTo(-2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "1",
        "\"a\"",
        "nonsense",
        "{a:1}",
        "{1:1}",
        "{\"a\" 1}",
        "{\"a\",\"b\":1}",
        "{\"a\":}",
        "{\"a\":,\"b\":1}",
        "{\"a\":'x'}",
        "{\"in\":{\"x\":]}}",
        "{\"a\":1]"
      })
  void whatIsNoObjectIsBad(String json) {
    assertThat(scan(json)).as(json).isEqualTo(BAD);
  }

  @Test
  void everyBeginningOfAnObjectIsShort() {
    String json =
        " {\"a\" : \"x\\\"y\", \"other\": [1, {\"a\": \"]\"}], \"in\": {\"x\": 12.5}, \"b\": true"
            + " }";
    byte[] bytes = json.getBytes(UTF_8);
    assertThat(scan(json)).isEqualTo(bytes.length);
    List<Integer> ends = new ArrayList<>();
    for (int end = 0; end < bytes.length; end++) {
      ends.add(scanner.scan(bytes, 0, end));
    }
    assertThat(ends).hasSize(bytes.length).containsOnly(SHORT);
  }

  // ---- numbers and times

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "42, 42",
    "'\"42\"', 42",
    "007, 7",
    "12.9, 12",
    "1.5e3, 1500",
    "999999999999999999, 999999999999999999",
    "'\"9.99\"', 9",
    "-0.0, 0",
    "-1, -1",
    "-7.5, -1",
    "true, -1",
    "'\"\"', -1",
    "'\"x\"', -1",
    "1-2, -1",
    "1e400, -1",
    "1e999999999, -1",
    "1e-999999999, 0",
    "1234567890123456789, 1234567890123456789",
    "9223372036854775807, 9223372036854775807",
    "'\"1d\"', -1",
    "'\"0x1p4\"', -1",
    "'\" 7 \"', -1",
    "'\"NaN\"', -1",
    "'\"Infinity\"', -1",
    "9223372036854775808, -1",
    "99999999999999999999999, -1"
  })
  void aNumberIsCutToAWholeOneAndNeverNegative(String value, long number) {
    assertWhole("{\"a\":" + value + ",\"b\":1}");
    assertThat(scanner.number(a)).isEqualTo(number);
  }

  @Test
  void aTimeIsReadInMicrosecondsAndAnythingElseIsNone() {
    // 2026-01-01 is 20,454 days of 86,400 s after 1970-01-01.
    scan("{\"a\":\"2026-01-01T00:00:01.5Z\",\"b\":1767225601}");
    assertThat(scanner.micros(a)).isEqualTo(1_767_225_601_500_000L);
    assertThat(scanner.micros(b)).isEqualTo(Long.MIN_VALUE);
  }
}
