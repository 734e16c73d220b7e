/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.config.Settings;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import io.penstock.core.request.Resolution;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.OutsideRequests;
import io.penstock.core.stack.OutsideRequests.Sending;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/**
 * Paces, counts and logs the requests for objects of every client of S3 in the process, also of
 * asynchronous ones: the SDK finds it in {@code penstock-sdk.jar} without a setting. It cannot make
 * a second attempt, and cuts none; {@link PenstockHttpClient} does. A request that passes that one
 * is left to it.
 *
 * <p>A request waits at most 20 s here, on the thread that makes it, since the wait counts for the
 * SDK's {@code apiCallTimeout}. What fails here never fails a request.
 *
 * <p>{@code -Dpenstock.sdk.interceptor=false} switches it off. Other system properties that begin
 * with {@code penstock.} are its settings, unless it runs beside Penstock's plugin for Spark, which
 * has those of the application.
 */
public final class PacingInterceptor implements ExecutionInterceptor {
  static final String SWITCH = "penstock.sdk.interceptor";

  private static final Logger LOG = LoggerFactory.getLogger(PacingInterceptor.class);
  private static final String PREFIX = "penstock.";
  private static final Duration WAIT_MAX = Duration.ofSeconds(20);
  private static final int BUCKETS_MAX = 256;

  private static final ExecutionAttribute<Sending> UNDER_WAY =
      new ExecutionAttribute<>("PenstockSending");

  private static final ExecutionAttribute<HttpFacts> FACTS =
      new ExecutionAttribute<>("PenstockFacts");

  private final Engine engine;
  private final boolean isOn;
  private final Map<String, OutsideRequests> buckets = new ConcurrentHashMap<>();
  private final AtomicBoolean hasSaid = new AtomicBoolean();
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  /** Of this process; the SDK and S3A call it. */
  public PacingInterceptor() {
    this(Engine.process(), !"false".equalsIgnoreCase(System.getProperty(SWITCH)));
  }

  PacingInterceptor(Engine engine, boolean isOn) {
    this.engine = engine;
    this.isOn = isOn;
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    if (isOn && "S3".equals(attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME))) {
      safely(() -> begin(context.request(), context.httpRequest(), attributes));
    }
  }

  private void begin(SdkRequest request, SdkHttpRequest http, ExecutionAttributes attributes) {
    lost(attributes, "the attempt has ended without an answer.");
    String agent = http.firstMatchingHeader("User-Agent").orElse("");
    Optional<HttpFacts> facts =
        agent.contains(PenstockHttpClient.MARK)
            ? Optional.empty()
            : HttpFacts.of(http, request.getValueForField("Bucket", String.class));
    if (facts.isEmpty()) {
      return;
    }
    if (hasSaid.compareAndSet(false, true)) {
      LOG.info(
          "Penstock paces the requests of this process's clients of S3; -D{}=false switches it off",
          SWITCH);
    }
    io.penstock.core.request.Context own =
        io.penstock.core.request.Context.of(engine.callers().current());
    own.attempt().isOf(client(agent));
    facts.get().range().ifPresent(own.attempt()::asksFor);
    attributes.putAttribute(FACTS, facts.get());
    attributes.putAttribute(
        UNDER_WAY,
        of(facts.get().bucket()).begin(meaning(facts.get(), sentBytes(http), request), own));
  }

  private static Request<Void> meaning(HttpFacts facts, long bytes, SdkRequest request) {
    return new Request<>(
        facts.operation(),
        facts.bucket(),
        facts.key(),
        facts.operation() == Operation.DELETE_ALL ? Deleted.keys(request) : List.of(),
        bytes,
        bytes,
        false,
        Doubling.NEVER,
        Resolution.none());
  }

  /** Has classes of S3's client, which a process without S3 does not load. */
  private static final class Deleted {
    static List<String> keys(SdkRequest request) {
      return request instanceof DeleteObjectsRequest objects
          ? objects.delete().objects().stream().map(ObjectIdentifier::key).toList()
          : List.of();
    }
  }

  private static long sentBytes(SdkHttpRequest http) {
    return http.firstMatchingHeader("x-amz-decoded-content-length")
        .or(() -> http.firstMatchingHeader("Content-Length"))
        .map(HttpAnswer::size)
        .map(bytes -> Math.max(0, bytes))
        .orElse(0L);
  }

  /** Returns the library whose client it is, by the name that the client gives itself. */
  private static String client(String agent) {
    if (agent.contains("Hadoop ")) {
      return Client.S3A.title();
    }
    return (agent.contains("s3fileio") ? Client.S3FILEIO : Client.SDK).title();
  }

  private OutsideRequests of(String bucket) {
    if (buckets.size() >= BUCKETS_MAX) {
      buckets.clear(); // What they know of the store is the engine's, not theirs.
    }
    return buckets.computeIfAbsent(
        bucket,
        name -> {
          Settings settings = settings().forBucket(name);
          try {
            engine.log(settings);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return new OutsideRequests(engine, name, settings, WAIT_MAX);
        });
  }

  private Settings settings() {
    return engine
        .applicationSettings()
        .orElseGet(
            () -> {
              Map<String, String> all = new HashMap<>();
              for (String name : System.getProperties().stringPropertyNames()) {
                if (name.startsWith(PREFIX) && !name.equals(SWITCH)) {
                  all.put(name, System.getProperty(name));
                }
              }
              return Settings.of(PenstockHttpClient.settings(all, LOG));
            });
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    safely(() -> answered(context.httpResponse(), attributes));
  }

  private void answered(SdkHttpResponse http, ExecutionAttributes attributes) {
    Sending sending = attributes.getAttribute(UNDER_WAY);
    if (sending == null) {
      return;
    }
    attributes.putAttribute(UNDER_WAY, null);
    if (http.isSuccessful()) {
      sending.answered();
      return;
    }
    HttpFacts facts = attributes.getAttribute(FACTS);
    sending.failed(
        new StoreException(
            kind(facts, http.statusCode()),
            facts.operation(),
            facts.object(),
            http.statusCode() + ".",
            http.firstMatchingHeader("x-amz-request-id").orElse(null),
            null));
  }

  /** What the status says is all that is known: the content is for the SDK. */
  private static Kind kind(HttpFacts facts, int status) {
    return status == 503 || status == 429 ? Kind.THROTTLED : HttpAnswer.kindOfStatus(facts, status);
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    safely(() -> lost(attributes, String.valueOf(context.exception().getMessage())));
  }

  /** Ends an attempt that got no answer, of which the SDK tells nothing else. */
  private static void lost(ExecutionAttributes attributes, String why) {
    Sending sending = attributes.getAttribute(UNDER_WAY);
    if (sending != null) {
      attributes.putAttribute(UNDER_WAY, null);
      HttpFacts facts = attributes.getAttribute(FACTS);
      sending.failed(
          new StoreException(
              Kind.CONNECTION_LOST, facts.operation(), facts.object(), why, null, null));
    }
  }

  private void safely(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      if (hasFailed.compareAndSet(false, true)) {
        LOG.warn("Requests of this process's clients of S3 are not paced and not counted", e);
      }
    }
  }
}
