/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyLimitsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "part-0",
        "t/p=a b/q=ü%2Fñ/part-0",
        "t/...hidden/p=日本😀/part-0.parquet",
        "with\u00a0space\ufffd\ue000"
      })
  void ordinaryKeysAreTakenByAllStores(String key) {
    assertThat(KeyLimits.doubt(key)).isEmpty();
    assertThat(KeyLimits.longSegment(key)).isEmpty();
  }

  @Test
  void aSegmentOfMoreThan255BytesIsNamedShortened() {
    assertThat(KeyLimits.doubt("t/p=" + "a".repeat(253) + "/part-0")).isEmpty();
    assertThat(KeyLimits.doubt("t/p=" + "a".repeat(254) + "/part-0"))
        .contains(
            "The key's segment 'p="
                + "a".repeat(38)
                + "…' has 256 bytes; many stores allow only 255.");
    assertThat(KeyLimits.longSegment("t/p=" + "ü".repeat(127) + "/part-0"))
        .as("bytes, not characters")
        .contains("p=" + "ü".repeat(127));
  }

  @Test
  void segmentsThatFileSystemsReadOtherwiseAreNamed() {
    assertThat(KeyLimits.doubt("t/../part-0"))
        .contains("Many stores refuse the key's segment '..'.");
    assertThat(KeyLimits.doubt("t/./part-0")).contains("Many stores refuse the key's segment '.'.");
    assertThat(KeyLimits.doubt("t//part-0")).contains("Many stores refuse the key's segment ''.");
  }

  @Test
  void charactersThatXmlCannotCarryAreNamed() {
    assertThat(KeyLimits.doubt("t/p=\u0001/x"))
        .contains("Many stores refuse the character U+0001 in the key.");
    assertThat(KeyLimits.doubt("t/p=\ufffe/x"))
        .contains("Many stores refuse the character U+FFFE in the key.");
    assertThat(KeyLimits.doubt("t/p=\ud800/x"))
        .contains("Many stores refuse the character U+D800 in the key.");
    assertThat(KeyLimits.doubt("t/p=\n/x"))
        .contains("Many stores refuse the character U+000A in the key.");
  }

  @Test
  void namesInMessagesHaveNoOddCharacters() {
    assertThat(KeyLimits.shown("a\u0001b")).isEqualTo("a\\u0001b");
    assertThat(KeyLimits.shown("😀".repeat(41))).isEqualTo("😀".repeat(40) + "…");
  }
}
