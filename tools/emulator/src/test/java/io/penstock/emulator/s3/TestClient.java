/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.http.Headers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A plain HTTP client with S3's signature, if asked for. */
public final class TestClient {
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI endpoint;

  public TestClient(URI endpoint) {
    this.endpoint = endpoint;
  }

  /**
   * Sends a request.
   *
   * @param headers names and values in turn
   */
  public HttpResponse<String> send(String method, String target, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(endpoint + target))
            .method(method, BodyPublishers.ofString(body, StandardCharsets.ISO_8859_1));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
  }

  /** The Authorization field for a request signed at this time. */
  String authorization(
      String method, String target, String dateTime, String region, Credentials credentials) {
    String scope = dateTime.substring(0, 8) + "/" + region + "/s3/aws4_request";
    Headers headers =
        new Headers().add("host", endpoint.getAuthority()).add("x-amz-date", dateTime);
    int mark = target.indexOf('?');
    String signature =
        new SignatureV4(
                method,
                mark < 0 ? target : target.substring(0, mark),
                S3Call.of(method, target, new Headers(), Addressing.PATH_STYLE).query(),
                headers,
                List.of("host", "x-amz-date"),
                "UNSIGNED-PAYLOAD",
                dateTime,
                scope)
            .sign(credentials.secretKey());
    return "AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=host;x-amz-date,Signature=%s"
        .formatted(credentials.accessKey(), scope, signature);
  }
}
