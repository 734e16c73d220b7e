/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.time.Time;
import io.penstock.s3.S3Clients.ClientKey;
import io.penstock.s3.S3Clients.Opened;
import io.penstock.s3.answers.AnswerCheck;
import io.penstock.s3.network.AbsoluteNames;
import io.penstock.s3.network.AuditReferer;
import io.penstock.s3.network.Resolver;
import io.penstock.s3.network.Transport;
import io.penstock.s3.network.Transport.Spread;
import io.penstock.s3.settings.Endpoint;
import io.penstock.s3.settings.Endpoint.Variant;
import io.penstock.s3.settings.OpenCredentials;
import io.penstock.s3.settings.Proxy;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/**
 * Builds the SDK's client. Features that our wrappers provide, or that some stores refuse, are
 * turned off.
 */
public final class ClientFactory {
  /** Stores close connections that are idle for longer. Using a closed connection costs a retry. */
  private static final Duration IDLE = Duration.ofSeconds(20);

  /** A judgement: a connection leaves an address that the store takes out of use within this. */
  private static final Duration CONNECTION_TTL = Duration.ofMinutes(5);

  /**
   * The JVM caches answers for 30 s (networkaddress.cache.ttl), so a shorter time has no effect.
   */
  private static final Duration LOOK_UP_EVERY = Duration.ofSeconds(30);

  /** The connection ages of processes that start together differ by up to this share. */
  private static final double TTL_JITTER = 0.2;

  private static final String VERSION = version();

  private final Time time;
  private final SplittableRandom chance; // guarded by itself
  private final AuditReferer referer;

  ClientFactory(Time time, SplittableRandom chance) {
    this.time = time;
    this.chance = chance;
    SplittableRandom ids = chance.split();
    this.referer = new AuditReferer(time, new UUID(ids.nextLong(), ids.nextLong()));
  }

  Opened build(ClientKey key) {
    return build(key, AbsoluteNames.ofTheMachine());
  }

  Opened build(ClientKey key, Resolver resolver) {
    OpenCredentials credentials = key.credentials().open();
    Endpoint endpoint = key.endpoint();
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(http(key.http(), endpoint, resolver))
            .region(Region.of(key.region()))
            .credentialsProvider(credentials)
            .forcePathStyle(endpoint.pathStyle())
            .fipsEnabled(endpoint.variants().contains(Variant.FIPS))
            .dualstackEnabled(endpoint.variants().contains(Variant.DUAL_STACK))
            .accelerate(endpoint.variants().contains(Variant.ACCELERATE))
            // SDK 2.30 sends checksums by default, and most other stores refused them.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(serviceConfiguration(endpoint))
            .overrideConfiguration(overrides(key.http(), endpoint));
    endpoint.override().ifPresent(builder::endpointOverride);
    return new Opened(builder.build(), credentials);
  }

  private static S3Configuration serviceConfiguration(Endpoint endpoint) {
    return S3Configuration.builder()
        // Over plain http the payload is signed. On AWS it is signed in chunks; on other stores as
        // a whole, because not every store can read the chunks.
        .chunkedEncodingEnabled(endpoint.aws())
        // On AWS this avoids sending a part that S3 throttles. On other stores a proxy may answer
        // the Expect header late.
        .expectContinueEnabled(endpoint.aws())
        .build();
  }

  private static ClientOverrideConfiguration overrides(S3Options.Http http, Endpoint endpoint) {
    String name = "penstock/" + VERSION;
    ClientOverrideConfiguration.Builder builder =
        ClientOverrideConfiguration.builder()
            .retryStrategy(AwsRetryStrategy.doNotRetry())
            .addExecutionInterceptor(new AnswerCheck())
            .putAdvancedOption(
                SdkAdvancedClientOption.USER_AGENT_PREFIX,
                http.userAgent().map(prefix -> prefix + " " + name).orElse(name));
    return endpoint.aws()
        ? builder.build()
        : builder.addExecutionInterceptor(new BulkDeletesWithMd5()).build();
  }

  private SdkHttpClient.Builder<?> http(S3Options.Http http, Endpoint endpoint, Resolver resolver) {
    double age = 1 - TTL_JITTER * draw();
    Apache5HttpClient.Builder client =
        Apache5HttpClient.builder()
            .maxConnections(http.maxConnections())
            .connectionTimeout(http.connectTimeout())
            .socketTimeout(http.socketTimeout())
            .connectionAcquisitionTimeout(http.socketTimeout())
            .connectionMaxIdleTime(IDLE)
            .connectionTimeToLive(Duration.ofMillis((long) (CONNECTION_TTL.toMillis() * age)))
            .tcpKeepAlive(true)
            .expectContinueEnabled(endpoint.aws());
    http.proxy().map(ClientFactory::configuration).ifPresent(client::proxyConfiguration);
    return Transport.builder(
        client,
        http.proxy().isPresent() || isBehindProxy()
            ? Optional.empty()
            : Optional.of(new Spread(resolver, LOOK_UP_EVERY, time)),
        http.auditReferer() ? Optional.of(referer) : Optional.empty());
  }

  /** Returns a number from 0 to 1. */
  private double draw() {
    synchronized (chance) {
      return chance.nextDouble();
    }
  }

  private static ProxyConfiguration configuration(Proxy proxy) {
    ProxyConfiguration.Builder builder =
        ProxyConfiguration.builder()
            .endpoint(proxy.address())
            .useSystemPropertyValues(false)
            .useEnvironmentVariableValues(false);
    proxy.username().ifPresent(builder::username);
    proxy.password().ifPresent(builder::password);
    return builder.build();
  }

  /**
   * Returns true if the client connects through a proxy that is not in the settings, by the
   * client's own rules. A proxy looks names up itself.
   */
  private static boolean isBehindProxy() {
    return Stream.of("http", "https")
        .map(scheme -> ProxyConfiguration.builder().scheme(scheme).build())
        .anyMatch(proxy -> proxy.host() != null);
  }

  private static String version() {
    try (InputStream in = ClientFactory.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
