/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AnswerXmlTest {
  private static String body(HttpResponse response) {
    return new String(((Payload.BytesPayload) response.payload()).bytes(), UTF_8);
  }

  @Test
  void anAnswerHasTheDeclarationAndTheNamespaceOfS3() {
    HttpResponse response =
        AnswerXml.of("ListBucketResult")
            .add("Prefix", "")
            .open("Contents")
            .time("LastModified", Instant.EPOCH)
            .etag("ab")
            .close()
            .add("IsTruncated", false)
            .response();
    assertThat(response.headers().first("Content-Type")).hasValue("application/xml");
    assertThat(body(response))
        .isEqualTo(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + "<Prefix></Prefix><Contents>"
                + "<LastModified>1970-01-01T00:00:00.000Z</LastModified>"
                + "<ETag>&quot;ab&quot;</ETag></Contents>"
                + "<IsTruncated>false</IsTruncated></ListBucketResult>");
  }

  @Test
  void anErrorHasNoNamespace() {
    assertThat(body(new S3Error(404, "NoSuchKey", "a < b").toResponse("/lake/k", "ID")))
        .isEqualTo(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<Error><Code>NoSuchKey</Code><Message>a &lt; b</Message>"
                + "<Resource>/lake/k</Resource><RequestId>ID</RequestId></Error>");
  }

  @Test
  void markupAndControlCharactersAreEscapedAndTheRestStays() {
    assertThat(body(AnswerXml.of("R").text("a<b>&\"c'ü😀\n\r\t\u0001\u007f\uffff]]>").response()))
        .endsWith(">a&lt;b&gt;&amp;&quot;c'ü😀&#xa;&#xd;&#x9;&#x1;&#x7f;&#xffff;]]&gt;</R>");
  }
}
