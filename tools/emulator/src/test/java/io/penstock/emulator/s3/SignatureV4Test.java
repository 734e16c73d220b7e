/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.http.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples AWS publishes under "Authenticating Requests: Using the Authorization Header". */
class SignatureV4Test {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  private static final String EMPTY =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static String sign(
      String method, String path, String query, Headers headers, String hash, String... signed) {
    headers
        .add("Host", "examplebucket.s3.amazonaws.com")
        .add("x-amz-date", "20130524T000000Z")
        .add("x-amz-content-sha256", hash);
    S3Call call = S3Call.of(method, path + "?" + query, new Headers(), Addressing.PATH_STYLE);
    return new SignatureV4(
            method,
            path,
            call.query(),
            headers,
            List.of(signed),
            hash,
            "20130524T000000Z",
            "20130524/us-east-1/s3/aws4_request")
        .sign(SECRET);
  }

  @Test
  void aGetWithARangeIsSignedAsPublished() {
    Headers headers = new Headers().add("Range", "bytes=0-9");
    assertThat(
            sign(
                "GET",
                "/test.txt",
                "",
                headers,
                EMPTY,
                "host",
                "range",
                "x-amz-content-sha256",
                "x-amz-date"))
        .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  void aPutWithASpecialKeyIsSignedAsPublished() {
    Headers headers =
        new Headers()
            .add("Date", "Fri, 24 May 2013 00:00:00 GMT")
            .add("x-amz-storage-class", "REDUCED_REDUNDANCY");
    assertThat(
            sign(
                "PUT",
                "/test$file.text",
                "",
                headers,
                "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
                "date",
                "host",
                "x-amz-content-sha256",
                "x-amz-date",
                "x-amz-storage-class"))
        .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  }

  @Test
  void aQueryWithoutAndWithValuesIsSignedAsPublished() {
    String[] signed = {"host", "x-amz-content-sha256", "x-amz-date"};
    assertThat(sign("GET", "/", "lifecycle", new Headers(), EMPTY, signed))
        .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    assertThat(sign("GET", "/", "max-keys=2&prefix=J", new Headers(), EMPTY, signed))
        .isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }
}
