/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.store.parts.PartNumbering;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The address of the store, and the way a bucket is addressed there.
 *
 * @param override empty for AWS's own endpoint of the region
 * @param hostRegion the region that is part of an AWS host name
 * @param aws whether the store is known to be Amazon S3
 * @param variants which of AWS's endpoints of the region
 */
public record Endpoint(
    Optional<URI> override,
    Optional<String> hostRegion,
    boolean aws,
    boolean pathStyle,
    Set<Variant> variants) {
  /** A kind of endpoint that AWS has in most regions. */
  public enum Variant {
    FIPS,
    DUAL_STACK,
    ACCELERATE
  }

  private static final Pattern AWS_HOST =
      Pattern.compile("(?:.*\\.)?amazonaws\\.com(?:\\.cn)?|(?:.*\\.)?amazonaws\\.eu");
  private static final Pattern REGION_IN_HOST =
      Pattern.compile("(?:.*?[.-])?([a-z]{2,4}(?:-[a-z]+)+-\\d)\\.(?:vpce\\.)?amazonaws\\..*");
  private static final Pattern IP_ADDRESS = Pattern.compile("[0-9.]+|\\[.*]|.*:.*");
  private static final String CENTRAL = "s3.amazonaws.com";

  private static final String FIPS_OF_S3A = "fs.s3a.endpoint.fips";

  /** The keys of S3A that are read here. */
  public static final List<String> FOREIGN = List.of(FIPS_OF_S3A);

  /** The variables that the AWS SDK itself reads, the more specific one first. */
  private static final List<String> ENVIRONMENT =
      List.of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");

  static Endpoint of(String bucket, Settings settings, UnaryOperator<String> environment) {
    boolean wantsPathStyle = settings.get(S3Keys.PATH_STYLE);
    Optional<URI> uri =
        settings
            .get(S3Keys.ENDPOINT, text -> parse(text, settings.get(S3Keys.TLS)))
            .or(
                () ->
                    fromEnvironment(environment)
                        .map(text -> parse(text, settings.get(S3Keys.TLS))));
    if (uri.isEmpty() || uri.get().getHost().equals(CENTRAL)) {
      // The central name serves us-east-1 only. Without an override the SDK uses the region's own
      // name.
      Set<Variant> variants = variants(settings);
      boolean isPathStyle = wantsPathStyle || bucket.contains(".");
      if (isPathStyle && variants.contains(Variant.ACCELERATE)) {
        throw new ConfigException(
            "penstock.endpoint.variant=accelerate needs the bucket in the host name: %s"
                .formatted(
                    wantsPathStyle
                        ? "remove penstock.path.style"
                        : bucket + " cannot be there, because of its dot"));
      }
      return new Endpoint(Optional.empty(), Optional.empty(), true, isPathStyle, variants);
    }
    if (!variants(settings).isEmpty()) {
      throw new ConfigException(
          "penstock.endpoint.variant and fs.s3a.endpoint.fips choose among AWS's own endpoints, but"
              + " the endpoint is "
              + uri.get()
              + ". Remove one of the two settings.");
    }
    String host = uri.get().getHost();
    Matcher region = REGION_IN_HOST.matcher(host);
    return new Endpoint(
        uri,
        region.matches() ? Optional.of(region.group(1)) : Optional.empty(),
        AWS_HOST.matcher(host).matches(),
        wantsPathStyle || needsPathStyle(bucket, uri.get()),
        Set.of());
  }

  private static Set<Variant> variants(Settings settings) {
    Set<Variant> variants = EnumSet.noneOf(Variant.class);
    for (String word : settings.get(S3Keys.ENDPOINT_VARIANT).orElse("").split(",", -1)) {
      switch (word.strip().toLowerCase(Locale.ROOT)) {
        case "fips" -> variants.add(Variant.FIPS);
        case "dual-stack", "dualstack" -> variants.add(Variant.DUAL_STACK);
        case "accelerate" -> variants.add(Variant.ACCELERATE);
        case "" -> {
          // Nothing is chosen.
        }
        default ->
            throw new ConfigException(
                "penstock.endpoint.variant: '%s' is not one of fips, dual-stack, accelerate."
                    .formatted(word.strip()));
      }
    }
    if (settings.foreign(FIPS_OF_S3A).filter("true"::equalsIgnoreCase).isPresent()) {
      variants.add(Variant.FIPS);
    }
    if (variants.containsAll(Set.of(Variant.FIPS, Variant.ACCELERATE))) {
      throw new ConfigException(
          "penstock.endpoint.variant: AWS has no endpoint that is both fips and accelerate.");
    }
    return variants;
  }

  /** Returns the host name of a region. */
  public String hostOf(String region) {
    boolean isDual = variants.contains(Variant.DUAL_STACK);
    String domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    if (variants.contains(Variant.ACCELERATE)) {
      return "s3-accelerate" + (isDual ? ".dualstack." : ".") + domain;
    }
    String service = variants.contains(Variant.FIPS) ? "s3-fips" : "s3";
    return service + (isDual ? ".dualstack." : ".") + region + "." + domain;
  }

  /** Returns the numbering of parts that suits the store. */
  PartNumbering numbering() {
    String host = override.map(URI::getHost).orElse("").toLowerCase(Locale.ROOT);
    if (host.endsWith(".r2.cloudflarestorage.com")) {
      return PartNumbering.UNIFORM;
    }
    // Scaleway's uploads have 1,000 parts at most.
    return aws || host.endsWith(".scw.cloud") ? PartNumbering.CONSECUTIVE : PartNumbering.SPACED;
  }

  /** Returns the name for messages. */
  public String shown() {
    return override.map(URI::toString).orElse("Amazon S3");
  }

  /** Returns the name, followed by the region if only the region tells endpoints apart. */
  public String shownWith(String region) {
    return override.isPresent() ? shown() : shown() + " in " + region;
  }

  public boolean plainHttp() {
    return override.map(URI::getScheme).filter("http"::equals).isPresent();
  }

  static URI parse(String text, boolean tls) {
    if (text.matches("(?i)\\s*https?:/[^/].*")) {
      throw new ConfigException(
          "penstock.endpoint='%s' lacks a slash: write http:// or https://"
              .formatted(withoutUser(text)));
    }
    String withScheme = text.contains("://") ? text : (tls ? "https://" : "http://") + text;
    try {
      URI uri = new URI(withScheme.strip());
      String scheme = Objects.toString(uri.getScheme(), "").toLowerCase(Locale.ROOT);
      if (uri.getUserInfo() != null) {
        throw new ConfigException(
            "An endpoint must not carry a user and password; set "
                + "penstock.access.key and penstock.secret.key instead.");
      }
      if (uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
        throw new ConfigException(
            "penstock.endpoint='%s' is neither a host nor an http(s) URL such as https://minio:9000"
                .formatted(withoutUser(text)));
      }
      String path = Objects.toString(uri.getPath(), "");
      return new URI(
          scheme,
          null,
          uri.getHost().toLowerCase(Locale.ROOT),
          uri.getPort(),
          path.equals("/") || path.isEmpty() ? null : path,
          null,
          null);
    } catch (URISyntaxException e) {
      // The exception's own message repeats the text, which may contain a password.
      throw new ConfigException(
          "penstock.endpoint='%s' is not a URL: %s".formatted(withoutUser(text), e.getReason()));
    }
  }

  private static String withoutUser(String text) {
    int at = text.lastIndexOf('@');
    return at < 0 ? text : "…" + text.substring(at);
  }

  /**
   * Returns true if the bucket cannot be in the host name: an IP address has no sub-domains, a
   * single-label name such as {@code minio} has none in DNS, and a wildcard certificate does not
   * cover a bucket with a dot.
   */
  private static boolean needsPathStyle(String bucket, URI endpoint) {
    String host = endpoint.getHost();
    return !host.contains(".")
        || IP_ADDRESS.matcher(host).matches()
        || (bucket.contains(".") && endpoint.getScheme().equals("https"));
  }

  private static Optional<String> fromEnvironment(UnaryOperator<String> environment) {
    if ("true".equalsIgnoreCase(environment.apply("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))) {
      return Optional.empty();
    }
    return ENVIRONMENT.stream()
        .map(environment)
        .flatMap(Stream::ofNullable)
        .filter(text -> !text.isBlank())
        .findFirst();
  }
}
