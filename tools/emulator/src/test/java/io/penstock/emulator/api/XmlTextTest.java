/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class XmlTextTest {
  @Test
  void markupAndControlCharactersAreEscapedAndTheRestStays() {
    assertThat(XmlText.escape("a<b>&\"c'ü😀\n\r\t\u0001"))
        .isEqualTo("a&lt;b&gt;&amp;&quot;c'ü😀&#xa;&#xd;&#x9;&#x1;");
  }
}
