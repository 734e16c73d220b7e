/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.time.Time;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.S3Error;
import io.penstock.emulator.api.UrlText;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Accepts the requests that S3 would accept: known key, correct signature, correct region, clock
 * within the allowed skew, token not expired.
 */
final class RequestAuthenticator {
  private static final Duration MAX_SKEW = Duration.ofMinutes(15);
  private static final DateTimeFormatter AMZ_DATE =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 +Credential=([^/, ]+)/([0-9]{8})/([^/, ]+)/s3/aws4_request, *"
              + "SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})");

  private final List<Credentials> known;
  private final String region;
  private final Time time;

  /** Creates a gatekeeper that accepts every request when no key is known. */
  RequestAuthenticator(List<Credentials> known, String region, Time time) {
    this.known = List.copyOf(known);
    this.region = region;
    this.time = time;
  }

  void check(HttpRequest request, S3Call call) throws S3Failure {
    if (known.isEmpty()) {
      return;
    }
    String authorization = request.headers().first("Authorization").orElse("");
    if (authorization.isEmpty()) {
      throw new S3Failure(403, "AccessDenied", "Access Denied");
    }
    Matcher matcher = AUTHORIZATION.matcher(authorization);
    if (!matcher.matches()) {
      throw malformed("The authorization header that you provided is not valid.");
    }
    Credentials credentials = find(matcher.group(1));
    checkToken(credentials, request.headers());
    checkRegion(matcher.group(3));
    String dateTime = checkDate(request.headers(), matcher.group(2));
    SignatureV4 signature =
        new SignatureV4(
            request.method(),
            path(request),
            call.query(),
            request.headers(),
            List.of(matcher.group(4).split(";", -1)),
            request.headers().first("x-amz-content-sha256").orElse("UNSIGNED-PAYLOAD"),
            dateTime,
            "%s/%s/s3/aws4_request".formatted(matcher.group(2), matcher.group(3)));
    if (!isEqual(signature.sign(credentials.secretKey()), matcher.group(5))) {
      throw new S3Failure(
          403,
          "SignatureDoesNotMatch",
          "The request signature we calculated does not match the signature you provided. Check"
              + " your key and signing method.");
    }
  }

  private Credentials find(String accessKey) throws S3Failure {
    return known.stream()
        .filter(credentials -> credentials.accessKey().equals(accessKey))
        .findFirst()
        .orElseThrow(
            () ->
                new S3Failure(
                    403,
                    "InvalidAccessKeyId",
                    "The AWS Access Key Id you provided does not exist in our records."));
  }

  private void checkToken(Credentials credentials, Headers headers) throws S3Failure {
    String token = headers.first("x-amz-security-token").orElse("");
    boolean isOver = credentials.expiresAt().map(end -> !time.now().isBefore(end)).orElse(false);
    if (token.equals("expired") || isOver) {
      throw new S3Failure(400, "ExpiredToken", "The provided token has expired.");
    }
    if (!isEqual(credentials.sessionToken().orElse(""), token)) {
      throw new S3Failure(
          400, "InvalidToken", "The provided token is malformed or otherwise invalid.");
    }
  }

  private void checkRegion(String given) throws S3Failure {
    if (!given.equals(region)) {
      throw new S3Failure(
          new S3Error(
              400,
              "AuthorizationHeaderMalformed",
              "The authorization header is malformed; the region '%s' is wrong; expecting '%s'"
                  .formatted(given, region),
              Map.of("Region", region)));
    }
  }

  private String checkDate(Headers headers, String scopeDate) throws S3Failure {
    String dateTime = headers.first("x-amz-date").orElse("");
    Instant sent;
    try {
      sent = Instant.from(AMZ_DATE.parse(dateTime));
    } catch (DateTimeException e) {
      throw new S3Failure(
          403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header");
    }
    if (!dateTime.startsWith(scopeDate)) {
      throw malformed("Invalid credential date. The date is not the same as X-Amz-Date.");
    }
    if (Duration.between(sent, time.now()).abs().compareTo(MAX_SKEW) > 0) {
      throw new S3Failure(
          new S3Error(
              403,
              "RequestTimeTooSkewed",
              "The difference between the request time and the current time is too large.",
              Map.of("RequestTime", dateTime, "ServerTime", time.now().toString())));
    }
    return dateTime;
  }

  private static String path(HttpRequest request) {
    int mark = request.target().indexOf('?');
    return UrlText.decode(mark < 0 ? request.target() : request.target().substring(0, mark), false);
  }

  private static boolean isEqual(String left, String right) {
    return MessageDigest.isEqual(
        left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
  }

  private static S3Failure malformed(String message) {
    return new S3Failure(400, "AuthorizationHeaderMalformed", message);
  }
}
