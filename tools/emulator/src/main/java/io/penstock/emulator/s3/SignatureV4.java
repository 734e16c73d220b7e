/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.api.Query;
import io.penstock.emulator.api.UrlText;
import io.penstock.emulator.http.Headers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes the AWS Signature Version 4 of a request that carries its signature in a header.
 *
 * @param path decoded
 * @param dateTime such as {@code 20130524T000000Z}
 * @param scope such as {@code 20130524/us-east-1/s3/aws4_request}
 * @param signedHeaders lower-case names of the signed headers, sorted
 */
record SignatureV4(
    String method,
    String path,
    Query query,
    Headers headers,
    List<String> signedHeaders,
    String payloadHash,
    String dateTime,
    String scope) {

  /** Returns the signature in lower-case hexadecimal. */
  String sign(String secretKey) {
    byte[] key = ("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8);
    for (String part : scope.split("/", -1)) {
      key = hmac(key, part);
    }
    return HexFormat.of().formatHex(hmac(key, stringToSign()));
  }

  private String stringToSign() {
    return "AWS4-HMAC-SHA256\n" + dateTime + "\n" + scope + "\n" + sha256(canonicalRequest());
  }

  String canonicalRequest() {
    String canonicalQuery =
        query.parameters().stream()
            .map(p -> UrlText.encode(p.name(), false) + "=" + UrlText.encode(p.value(), false))
            .sorted()
            .collect(Collectors.joining("&"));
    StringBuilder canonicalHeaders = new StringBuilder();
    for (String name : signedHeaders) {
      String value =
          headers.all(name).stream()
              .map(each -> each.strip().replaceAll(" +", " "))
              .collect(Collectors.joining(","));
      canonicalHeaders.append(name.toLowerCase(Locale.ROOT)).append(':').append(value);
      canonicalHeaders.append('\n');
    }
    return String.join(
        "\n",
        method,
        UrlText.encode(path, true),
        canonicalQuery,
        canonicalHeaders,
        String.join(";", signedHeaders),
        payloadHash);
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /**
   * Hashes text as ISO-8859-1. Headers are kept as one char per byte, so this restores the signed
   * bytes.
   */
  private static String sha256(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
