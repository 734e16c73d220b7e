/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SameContentTest {
  private static String unchunked(String chunks) {
    return SameContent.unchunked(chunks.getBytes(StandardCharsets.UTF_8))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .orElse("none");
  }

  @Test
  void chunksAreTakenApart() {
    assertThat(
            unchunked("3;chunk-signature=ab\r\nabc\r\n2;chunk-signature=cd\r\nde\r\n0;x=y\r\n\r\n"))
        .isEqualTo("abcde");
    assertThat(unchunked("A\r\n0123456789\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n"))
        .isEqualTo("0123456789");
    assertThat(unchunked("0\r\n\r\n")).isEmpty();
    assertThat(unchunked("2\r\n\r\n\r\n0\r\n\r\n")).isEqualTo("\r\n");
  }

  @Test
  void whatIsNoChunksIsNotTrusted() {
    for (String text :
        new String[] {
          "",
          "abc",
          "3\r\nab",
          "3\r\nabcd\r\n0\r\n\r\n",
          "-1\r\n",
          "7fffffff\r\nab\r\n",
          "zz\r\n",
          "\r\n",
          "1\r",
          "1".repeat(2_000)
        }) {
      assertThat(unchunked(text)).as(text).isEqualTo("none");
    }
  }
}
