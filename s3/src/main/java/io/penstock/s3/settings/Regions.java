/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/** Finds the regions of buckets, from the environment and from S3's refusals. */
public final class Regions {
  private static final String DEFAULT = "us-east-1";
  private static final String BUCKET_REGION = "x-amz-bucket-region";
  private static final Pattern IN_MESSAGE = Pattern.compile("expecting ['\"]([a-z0-9-]+)");
  private static final Pattern IN_BODY = Pattern.compile("<Region>([a-z0-9-]+)</Region>");

  private Regions() {}

  /**
   * Returns the region of the environment or the profile, or us-east-1. The instance metadata
   * service is not asked: outside EC2 this takes seconds, and S3's answers name the bucket's region
   * anyway.
   */
  static String fromEnvironment(Optional<String> profile) {
    return Stream.of(
            new SystemSettingsRegionProvider(),
            new AwsProfileRegionProvider(null, profile.orElse(null)))
        .flatMap(provider -> regionOf(provider).stream())
        .findFirst()
        .orElse(DEFAULT);
  }

  private static Optional<String> regionOf(AwsRegionProvider provider) {
    try {
      return Optional.ofNullable(provider.getRegion()).map(Region::id);
    } catch (SdkClientException e) {
      // The provider throws this if it has no region.
      return Optional.empty();
    }
  }

  /**
   * Returns the region that a refusal names as the right one. S3 names the bucket's region in other
   * answers too, so only a region different from the one asked counts.
   */
  public static Optional<String> namedBy(SdkException failure, String asked) {
    return named(failure).filter(region -> !region.equals(asked));
  }

  private static Optional<String> named(SdkException failure) {
    if (!(failure instanceof AwsServiceException refusal) || refusal.awsErrorDetails() == null) {
      return Optional.empty();
    }
    int status = refusal.statusCode();
    boolean elsewhere = status == 400 || (status >= 300 && status < 400);
    if (!elsewhere) {
      return Optional.empty();
    }
    var details = refusal.awsErrorDetails();
    Optional<String> header =
        details.sdkHttpResponse() == null
            ? Optional.empty()
            : details.sdkHttpResponse().firstMatchingHeader(BUCKET_REGION);
    String body = details.rawResponse() == null ? "" : details.rawResponse().asUtf8String();
    String message = String.valueOf(details.errorMessage());
    return header.or(() -> find(IN_BODY, body)).or(() -> find(IN_MESSAGE, message));
  }

  private static Optional<String> find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
