/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlRowsTest {
  private static XmlRows parse(String xml) throws S3Failure {
    return XmlRows.parse(xml.getBytes(UTF_8), "Delete", "Object");
  }

  @Test
  void fieldsAndRowsAreRead() throws S3Failure {
    XmlRows rows =
        parse(
            "<?xml version='1.0'?><Delete xmlns='urn:x'><Object><Key>a&amp;b"
                + " &#x20ac;</Key></Object>"
                + "<Object><Key><![CDATA[<c>]]></Key><VersionId>v</VersionId></Object>"
                + "<Quiet>true</Quiet></Delete>");
    assertThat(rows.fields()).isEqualTo(Map.of("Quiet", "true"));
    assertThat(rows.rows())
        .containsExactly(Map.of("Key", "a&b €"), Map.of("Key", "<c>", "VersionId", "v"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not xml",
        "<Other/>",
        "<Delete><Object>",
        "<!DOCTYPE d [<!ENTITY x SYSTEM"
            + " 'file:///etc/passwd'>]><Delete><Object><Key>&x;</Key></Object></Delete>",
        "<!DOCTYPE d [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><Delete><Quiet>&b;</Quiet></Delete>",
        "<Delete><a><a><a><a><a><a><a><a>x</a></a></a></a></a></a></a></a></Delete>",
      })
  void whatIsMalformedOrDangerousIsRefused(String xml) {
    assertThatThrownBy(() -> parse(xml)).hasMessageContaining("MalformedXML");
  }
}
