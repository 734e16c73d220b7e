/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.metrics.account.Client;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.DefaultS3ClientFactory;
import org.apache.hadoop.fs.s3a.impl.AWSClientConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3BaseClientBuilder;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Makes S3A's clients with Penstock's engine under them: {@code
 * fs.s3a.s3.client.factory.impl=io.penstock.sdk.S3AClientFactory}. All else is as S3A makes it. Its
 * asynchronous clients are only paced ({@link PacingInterceptor}); S3A 3.4 uses them for copies and
 * for its analytics stream. Settings are those of Hadoop's configuration that begin with {@code
 * penstock.}.
 */
public class S3AClientFactory extends DefaultS3ClientFactory {
  private static final Logger LOG = LoggerFactory.getLogger(S3AClientFactory.class);
  private static final String SETTINGS = "penstock.";

  /**
   * S3A ends each call after a minute, in which a request may still wait for its permit. The engine
   * has limits of its own; a signature is good for a quarter of an hour.
   */
  private static final Duration CALL = Duration.ofMinutes(14);

  @Override
  public S3Client createS3Client(URI uri, S3ClientCreationParameters parameters)
      throws IOException {
    Configuration conf = getConf();
    String bucket = uri.getHost();
    S3ClientBuilder builder = configured(S3Client.builder(), parameters, bucket);
    SdkHttpClient.Builder<?> http =
        AWSClientConfig.createHttpClientBuilder(conf)
            .proxyConfiguration(AWSClientConfig.createProxyConfiguration(conf, bucket));
    LOG.info("Penstock's engine is under S3A's client of s3a://{}", bucket);
    ClientOverrideConfiguration overrides = builder.overrideConfiguration();
    if (overrides.apiCallTimeout().filter(call -> call.compareTo(CALL) < 0).isPresent()) {
      builder.overrideConfiguration(
          overrides.toBuilder().apiCallTimeout(CALL).apiCallAttemptTimeout(CALL).build());
    }
    OwnRequests own = new OwnRequests();
    S3Client client =
        builder
            .httpClientBuilder(
                new PenstockHttpClient.Builder(
                    http, Client.S3A.title(), settings(conf), Optional.ofNullable(bucket), own))
            .build();
    own.by(client);
    return client;
  }

  private static Map<String, String> settings(Configuration conf) {
    Map<String, String> settings = new HashMap<>();
    conf.getPropsWithPrefix(SETTINGS)
        .forEach((name, value) -> settings.put(SETTINGS + name, value));
    return PenstockHttpClient.settings(settings, LOG);
  }

  /** Lets S3A configure the builder; its method for that is private. */
  private S3ClientBuilder configured(
      S3ClientBuilder builder, S3ClientCreationParameters parameters, String bucket)
      throws IOException {
    try {
      Method configure =
          DefaultS3ClientFactory.class.getDeclaredMethod(
              "configureClientBuilder",
              S3BaseClientBuilder.class,
              S3ClientCreationParameters.class,
              Configuration.class,
              String.class);
      configure.setAccessible(true);
      return (S3ClientBuilder) configure.invoke(this, builder, parameters, getConf(), bucket);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException(
          "this version of hadoop-aws makes its clients in another way than 3.4.1 to 3.5.0, for"
              + " which io.penstock.sdk.S3AClientFactory is made: remove it from"
              + " fs.s3a.s3.client.factory.impl",
          e);
    }
  }
}
