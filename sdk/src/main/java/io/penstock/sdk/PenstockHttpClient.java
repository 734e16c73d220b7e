/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Penstock's engine under a client of the AWS SDK for Java v2. Requests for objects wait for
 * permits when the store throttles, are made again when they fail, get a second attempt when they
 * are slow, and are cut when they hang; every other request goes straight to the HTTP client
 * inside.
 *
 * <pre>
 *   S3Client.builder()
 *       .httpClientBuilder(PenstockHttpClient.around(Apache5HttpClient.builder()))
 * </pre>
 *
 * <p>All clients of a process share what they know of a bucket with each other and with Penstock's
 * file system. A request's body of more than 8 MiB, or of an unknown size, is sent once, since the
 * SDK gives out a signed body once; its failure goes up to the SDK. A request that must not be made
 * twice, such as one with a condition, is made again only if the store has refused to act.
 *
 * <p>Given the client that it is in ({@link #resolveBy}), it also helps with the two requests that
 * begin and end an upload, which it must otherwise leave as they are:
 *
 * <pre>
 *   PenstockHttpClient http = PenstockHttpClient.around(Apache5HttpClient.create());
 *   S3Client s3 = S3Client.builder().httpClient(http).build();
 *   http.resolveBy(s3);
 * </pre>
 *
 * <p>The waits count for the SDK's {@code apiCallTimeout}. Safe for many threads.
 */
public final class PenstockHttpClient implements SdkHttpClient {
  /** The name of clients that a program has made. */
  private static final String SDK = Client.SDK.title();

  /** Stands in the name that each request gives of its HTTP client. */
  static final String MARK = "-Penstock";

  /** Limits the copies of bodies, which can be sent again, and the content of answers as well. */
  private static final long ROOM = 64L << 20;

  /** A client of more buckets than this has most likely none of them, but keys in their place. */
  private static final int CHAINS_MAX = 256;

  private final SdkHttpClient inner;
  private final Engine engine;
  private final String name;
  private final Settings settings;
  private final Optional<String> bucket;
  private final OwnRequests own;

  private final Background background;
  private final Room bodies = new Room(ROOM);
  private final Room answers = new Room(ROOM);
  private final Map<String, BucketChain> chains = new ConcurrentHashMap<>();

  /**
   * @param name of the library whose client this one is in
   * @param bucket of all requests, if it is known
   * @param own is told, now or later, which client this one is in
   */
  PenstockHttpClient(
      SdkHttpClient inner,
      Engine engine,
      String name,
      Settings settings,
      Optional<String> bucket,
      OwnRequests own) {
    this.own = own;
    this.inner = inner;
    this.engine = engine;
    this.background = new Background(engine.time());
    this.name = name;
    this.settings = settings;
    this.bucket = bucket;
    // Once here, not at each first request to a bucket.
    StoreStack.refuseContradictions(settings);
    var unused = RetryConfig.from(settings);
  }

  /** Puts the engine around a client, with default settings. A close closes that client. */
  public static PenstockHttpClient around(SdkHttpClient inner) {
    return around(inner, Map.of());
  }

  /**
   * Puts the engine around a client. A close closes that client.
   *
   * @param settings of Penstock, such as {@code penstock.rate.policy}
   * @throws ConfigException when a setting is unknown or not valid
   */
  public static PenstockHttpClient around(SdkHttpClient inner, Map<String, String> settings) {
    refuseUnknown(settings);
    return new Builder(null, SDK, settings, Optional.empty(), new OwnRequests()).around(inner);
  }

  /** Puts the engine around each client that the builder builds, with default settings. */
  public static SdkHttpClient.Builder<?> around(SdkHttpClient.Builder<?> inner) {
    return around(inner, Map.of());
  }

  /** Puts the engine around each client that the builder builds, with these settings. */
  public static SdkHttpClient.Builder<?> around(
      SdkHttpClient.Builder<?> inner, Map<String, String> settings) {
    refuseUnknown(settings);
    return new Builder(inner, SDK, settings, Optional.empty(), new OwnRequests());
  }

  /**
   * Refuses names that are no setting of Penstock.
   *
   * @throws ConfigException naming one, and the nearest setting
   */
  static void refuseUnknown(Map<String, String> settings) {
    Settings.of(settings).refuseUnknown(StoreStack.keys(PenstockHttpClient.class.getClassLoader()));
  }

  /**
   * Returns the settings among another library's. Those that are unknown have a warning, and are
   * not refused: they may be for Penstock's file system.
   */
  static Map<String, String> settings(Map<String, String> all, Logger log) {
    Map<String, String> settings = new HashMap<>(all);
    settings.keySet().removeIf(name -> !name.startsWith("penstock."));
    try {
      refuseUnknown(settings);
    } catch (ConfigException e) {
      log.warn("Without effect under this client: {}", e.getMessage());
    }
    return settings;
  }

  /** Builds clients with the engine around them. */
  record Builder(
      SdkHttpClient.Builder<?> inner,
      String name,
      Map<String, String> settings,
      Optional<String> bucket,
      OwnRequests own)
      implements SdkHttpClient.Builder<Builder> {
    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return around(inner.buildWithDefaults(defaults));
    }

    /** Returns a builder that puts the engine around the clients of another one. */
    Builder over(SdkHttpClient.Builder<?> other) {
      return new Builder(other, name, settings, bucket, own);
    }

    PenstockHttpClient around(SdkHttpClient client) {
      return ofProcess(client, this);
    }
  }

  private static PenstockHttpClient ofProcess(SdkHttpClient client, Builder given) {
    Engine engine = Engine.process();
    Settings settings = Settings.of(given.settings);
    return new PenstockHttpClient(
        client,
        engine,
        given.name,
        // Those of the application, where the client has none of its own.
        given.settings.isEmpty() ? engine.applicationSettings().orElse(settings) : settings,
        given.bucket,
        given.own);
  }

  /**
   * Lets a client that has this one under it find out what a lost answer hides. The start of an
   * upload then gets a second attempt when it is slow, and so does its completion, which also
   * succeeds if only its answer was lost.
   *
   * @param client that makes its requests by this HTTP client
   */
  public void resolveBy(S3Client client) {
    own.by(client);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    SdkHttpRequest http = request.httpRequest();
    Optional<HttpFacts> facts = HttpFacts.of(http, bucket);
    if (facts.isEmpty()) {
      return inner.prepareRequest(request);
    }
    own.refuseAnother(facts.get());
    Optional<CopiedBody> body =
        request
            .contentStreamProvider()
            .map(source -> new CopiedBody(source, contentLength(http), bodies));
    return new HttpCall(inner, request, facts.get(), body, chain(facts.get()), own, background);
  }

  private BucketChain chain(HttpFacts facts) {
    if (chains.size() >= CHAINS_MAX) {
      chains.clear(); // What they know of the store is the engine's, not theirs.
    }
    return chains.computeIfAbsent(
        facts.endpoint() + "/" + facts.bucket(),
        place ->
            new BucketChain(engine, name, facts.endpoint(), facts.bucket(), settings, answers));
  }

  private static long contentLength(SdkHttpRequest request) {
    try {
      return request.firstMatchingHeader("Content-Length").map(Long::parseLong).orElse(-1L);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  public String clientName() {
    return inner.clientName() + MARK;
  }

  @Override
  public void close() {
    background.close();
    inner.close();
  }
}
