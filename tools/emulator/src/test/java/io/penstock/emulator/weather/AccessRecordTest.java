/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import java.net.InetAddress;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AccessRecordTest {
  private static AccessRecord record(Headers headers, String target, String code) throws Exception {
    HttpRequest request =
        new HttpRequest("PUT", target, headers, null, InetAddress.getByName("10.0.0.7"), "", null);
    return new AccessRecord(
        S3Call.of(request, Addressing.PATH_STYLE),
        request,
        Instant.parse("2026-02-06T00:00:38Z"),
        "3E57427F3EXAMPLE",
        code.isEmpty() ? 200 : 503,
        code,
        code.isEmpty() ? 0 : 321,
        5_242_880,
        70,
        10);
  }

  @Test
  void aLineHasThe27FieldsOfS3() throws Exception {
    Headers headers =
        new Headers()
            .add("Host", "lake.example:9000")
            .add("User-Agent", "aws-sdk-java/2.0 \"odd\"")
            .add(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260206/us-east-1/s3/aws4_request,"
                    + " SignedHeaders=host, Signature=secret");
    String target = "/lake/day%3D01/a%20b%C3%BC?partNumber=3&uploadId=u";

    String line = record(headers, target, "").line();

    assertThat(line)
        .isEqualTo(
            "penstock lake [06/Feb/2026:00:00:38 +0000] 10.0.0.7 AKIAEXAMPLE 3E57427F3EXAMPLE"
                + " REST.PUT.PART day%3D01/a%20b%C3%BC \"PUT"
                + " /lake/day%3D01/a%20b%C3%BC?partNumber=3&uploadId=u HTTP/1.1\" 200 - - 5242880"
                + " 70 10 \"-\" \"aws-sdk-java/2.0 \"odd\"\" - - SigV4 - AuthHeader"
                + " lake.example:9000 - - - -");
    assertThat(line).doesNotContain("secret");
  }

  @Test
  void aThrottledRequestShowsItsCode() throws Exception {
    assertThat(record(new Headers(), "/lake/k", "SlowDown").line())
        .contains("\"PUT /lake/k HTTP/1.1\" 503 SlowDown 321 5242880 70 10 \"-\" \"-\"");
  }
}
