/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.metrics.account.Client;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.aws.AwsClientFactories;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.HttpClientProperties;
import org.apache.iceberg.aws.s3.S3FileIOAwsClientFactory;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Makes the clients of Iceberg's S3FileIO with Penstock's engine under them: {@code
 * s3.client-factory-impl=io.penstock.sdk.IcebergClientFactory} among the properties of a catalog.
 * All else is as Iceberg makes it. Asynchronous clients, which only its analytics stream uses, have
 * no engine. Settings are those properties that begin with {@code penstock.}.
 */
public class IcebergClientFactory implements S3FileIOAwsClientFactory {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(IcebergClientFactory.class);
  private static final String OURS = "s3.client-factory-impl";
  private static final String OTHERS = "client.factory";

  /** Iceberg calls these on its builder, in this order. A version may lack some of them. */
  static final List<String> STEPS =
      List.of(
          "applyClientRegionConfiguration",
          "applyLegacyMd5Plugin",
          "applyHttpClientConfigurations",
          "applyEndpointConfigurations",
          "applyServiceConfigurations",
          "applyCredentialConfigurations",
          "applySignerConfiguration",
          "applyS3AccessGrantsConfigurations",
          "applyUserAgentConfigurations",
          "applyRetryConfigurations");

  private HashMap<String, String> all = new HashMap<>();

  @Override
  public void initialize(Map<String, String> properties) {
    all = new HashMap<>(properties);
  }

  @Override
  public S3Client s3() {
    String other = all.get(OTHERS);
    if (other != null) { // Set by the user, or by Glue's catalog for Lake Formation.
      LOG.warn("{}={} makes clients without Penstock's engine", OTHERS, other);
      return AwsClientFactories.from(theirs()).s3();
    }
    OwnRequests own = new OwnRequests();
    PenstockHttpClient.Builder engine =
        new PenstockHttpClient.Builder(
            null,
            Client.S3FILEIO.title(),
            PenstockHttpClient.settings(all, LOG),
            Optional.empty(),
            own);
    S3ClientBuilder builder = S3Client.builder();
    S3ClientBuilder withEngine = withEngine(builder, engine);
    AwsClientProperties aws = new AwsClientProperties(all);
    S3FileIOProperties s3 = new S3FileIOProperties(all);
    for (String step : STEPS) {
      switch (step) {
        case "applyClientRegionConfiguration", "applyLegacyMd5Plugin" -> apply(aws, step, builder);
        case "applyHttpClientConfigurations" ->
            apply(new HttpClientProperties(all), step, withEngine);
        case "applyCredentialConfigurations" -> apply(s3, step, aws, builder);
        default -> apply(s3, step, builder);
      }
    }
    S3Client client = builder.build();
    own.by(client);
    LOG.info("Penstock's engine is under a client of Iceberg's S3FileIO");
    return client;
  }

  /** Its parameters' types differ by version, so it is looked up by what it takes. */
  private static void apply(Object properties, String name, Object... arguments) {
    List<Method> named =
        Arrays.stream(properties.getClass().getMethods())
            .filter(method -> method.getName().equals(name))
            .toList();
    Optional<Method> step = named.stream().filter(each -> takes(each, arguments)).findFirst();
    if (step.isEmpty() && !named.isEmpty()) {
      throw new IllegalStateException(
          "this version of Iceberg makes its clients in another way than 1.7 to 1.12, for which %s"
                  .formatted(IcebergClientFactory.class.getName())
              + " is made: remove it from "
              + OURS);
    }
    try {
      if (step.isPresent()) {
        step.get().invoke(properties, arguments);
      }
    } catch (InvocationTargetException e) {
      throw unchecked(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean takes(Method method, Object... arguments) {
    Class<?>[] types = method.getParameterTypes();
    boolean fits = types.length == arguments.length;
    for (int i = 0; fits && i < types.length; i++) {
      fits = types[i].isInstance(arguments[i]);
    }
    return fits;
  }

  private static RuntimeException unchecked(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
  }

  /** Returns the builder, which puts the engine around the HTTP client that it is given. */
  private static S3ClientBuilder withEngine(
      S3ClientBuilder builder, PenstockHttpClient.Builder engine) {
    return (S3ClientBuilder)
        Proxy.newProxyInstance(
            S3ClientBuilder.class.getClassLoader(),
            new Class<?>[] {S3ClientBuilder.class},
            (proxy, method, arguments) -> {
              if (arguments != null && arguments[0] instanceof SdkHttpClient client) {
                return builder.httpClient(engine.around(client));
              }
              if (arguments != null && arguments[0] instanceof SdkHttpClient.Builder<?> client) {
                return builder.httpClientBuilder(engine.over(client));
              }
              try {
                return method.invoke(builder, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public S3AsyncClient s3Async() {
    return AwsClientFactories.from(theirs()).s3Async();
  }

  private Map<String, String> theirs() {
    Map<String, String> theirs = new HashMap<>(all);
    theirs.remove(OURS);
    return theirs;
  }
}
