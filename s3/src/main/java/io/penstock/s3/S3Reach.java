/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Operation;
import io.penstock.core.store.Reach;
import io.penstock.s3.answers.SdkFailures;
import io.penstock.s3.settings.AccessPoint;
import io.penstock.s3.settings.CredentialSource;
import io.penstock.s3.settings.Endpoint;
import io.penstock.s3.settings.OpenCredentials;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.core.useragent.BusinessMetricFeatureId;

/** Describes the address and the credentials with which one bucket is reached. */
record S3Reach(String bucket, S3Options options) implements Reach {
  private static final String CREDENTIALS = "CREDENTIALS_";

  @Override
  public URI bucketUrl() {
    Endpoint endpoint = options.endpoint();
    if (options.accessPoint().isPresent()) {
      return urlOf(options.accessPoint().get());
    }
    URI base =
        endpoint
            .override()
            .orElseGet(() -> URI.create("https://" + endpoint.hostOf(firstRegion())));
    String host = base.getHost();
    String path = Optional.ofNullable(base.getPath()).orElse("");
    return endpoint.pathStyle()
        ? url(base, host, path + "/" + bucket)
        : url(base, bucket + "." + host, path + "/");
  }

  private URI urlOf(AccessPoint point) {
    Endpoint endpoint = options.endpoint();
    URI base =
        endpoint
            .override()
            .orElseGet(
                () ->
                    URI.create(
                        "https://"
                            + endpoint
                                .hostOf(firstRegion())
                                .replaceFirst("^s3", "s3-accesspoint")));
    return url(base, point.label() + "." + base.getHost(), "/");
  }

  private static URI url(URI base, String host, String path) {
    String port = base.getPort() < 0 ? "" : ":" + base.getPort();
    return URI.create(base.getScheme() + "://" + host + port + path);
  }

  @Override
  public boolean isPathStyle() {
    return options.endpoint().pathStyle();
  }

  @Override
  public boolean hasProxy() {
    return options.http().proxy().isPresent();
  }

  @Override
  public boolean isAws() {
    return options.endpoint().aws();
  }

  @Override
  public Optional<String> region() {
    return options.region();
  }

  @Override
  public String firstRegion() {
    return options.firstRegion();
  }

  @Override
  public Identity identity() throws IOException {
    CredentialSource source = options.credentials();
    if (source == CredentialSource.Plain.ANONYMOUS) {
      return new Identity(source.toString(), true, Optional.empty());
    }
    try (OpenCredentials opened = source.open()) {
      AwsCredentials credentials = opened.resolveCredentials();
      String shown =
          credentials
              .providerName()
              .flatMap(S3Reach::words)
              .filter(link -> source instanceof CredentialSource.DefaultChain)
              .map(link -> "the default chain: " + link)
              .orElseGet(source::toString);
      return new Identity(shown, false, credentials.expirationTime());
    } catch (RuntimeException e) {
      throw new SdkFailures(bucket, options).translate(Operation.LIST, "", firstRegion(), e);
    }
  }

  /**
   * Returns the names of the providers behind the SDK's metric codes. There are several codes if
   * one provider needed another.
   */
  private static Optional<String> words(String codes) {
    List<String> listed = List.of(codes.split(",", -1));
    String words =
        Arrays.stream(BusinessMetricFeatureId.values())
            .filter(id -> id.name().startsWith(CREDENTIALS) && listed.contains(id.value()))
            .map(id -> id.name().substring(CREDENTIALS.length()))
            .map(name -> name.toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", "));
    return words.isEmpty() ? Optional.empty() : Optional.of(words);
  }
}
