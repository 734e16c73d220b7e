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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.ClientType;
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
 * <p>A call waits 10 to 20 s at most, with all its attempts, on the thread that makes it, since the
 * wait counts for the SDK's {@code apiCallTimeout}; one of an asynchronous client 2 s, and not at
 * all on the SDK's own threads, which retries and timeouts need. Rates are those of the process's
 * stores of the bucket, if there are any. What fails here never fails a request.
 *
 * <p>{@code -Dpenstock.sdk.interceptor=false} switches it off. Other system properties that begin
 * with {@code penstock.} are its settings, unless it runs beside Penstock's plugin for Spark, which
 * has those of the application.
 */
public final class PacingInterceptor implements ExecutionInterceptor {
  static final String SWITCH = "penstock.sdk.interceptor";

  private static final Logger LOG = LoggerFactory.getLogger(PacingInterceptor.class);
  private static final String PREFIX = "penstock.";

  /** S3A ends a call after a minute, with its retries; the SDK never by itself. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(20);

  /** Whoever calls an asynchronous client does not expect to wait. */
  private static final Duration ASYNC_WAIT_MAX = Duration.ofSeconds(2);

  /** The threads of the SDK, on which timeouts, retries and answers of all calls would wait. */
  private static final List<String> THREADS_OF_SDK = List.of("sdk-", "aws-java-sdk-");

  private static final ExecutionAttribute<Sending> UNDER_WAY = attribute("Sending");

  private static final ExecutionAttribute<HttpFacts> FACTS = attribute("Facts");

  private static final ExecutionAttribute<io.penstock.core.request.Context> CONTEXT =
      attribute("Context");

  /** The nanoseconds that the call has waited, over all its attempts. */
  private static final ExecutionAttribute<Long> WAITED = attribute("Waited");

  /** The attempt that was looked at last, also by another instance of this class. */
  private static final ExecutionAttribute<SdkHttpRequest> SEEN = attribute("Seen");

  /** The SDK wants a name once, and another class loader may have this class, too. */
  private static <T> ExecutionAttribute<T> attribute(String name) {
    try {
      return new ExecutionAttribute<>("Penstock" + name);
    } catch (RuntimeException e) {
      return new ExecutionAttribute<>(
          "Penstock" + name + System.identityHashCode(PacingInterceptor.class));
    }
  }

  private final Engine engine;
  private final boolean isOn;
  private final SplittableRandom chance;
  private volatile boolean isUnusable;

  /** Creates one for a client, with the engine of this process; the SDK and S3A do. */
  public PacingInterceptor() {
    this(Engine.process(), !"false".equalsIgnoreCase(System.getProperty(SWITCH)));
  }

  PacingInterceptor(Engine engine, boolean isOn) {
    this.engine = engine;
    this.isOn = isOn;
    this.chance = engine.chance();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    if (isOn
        && !isUnusable
        && "S3".equals(attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME))
        && isNew(context.httpRequest(), attributes)) {
      safely(() -> begin(context.request(), context.httpRequest(), attributes));
    }
  }

  /** Returns false if another instance has begun this attempt: some clients have two. */
  @SuppressWarnings("ReferenceEquality") // The SDK makes a new one for each attempt.
  private static boolean isNew(SdkHttpRequest http, ExecutionAttributes attributes) {
    boolean isNew = attributes.getAttribute(SEEN) != http;
    attributes.putAttribute(SEEN, http);
    return isNew;
  }

  private void begin(SdkRequest request, SdkHttpRequest http, ExecutionAttributes attributes) {
    lost(attributes, "the attempt has ended without an answer.");
    String agent = http.firstMatchingHeader("User-Agent").orElse("");
    Optional<HttpFacts> facts =
        agent.contains(PenstockHttpClient.MARK) ? Optional.empty() : facts(request, http);
    if (facts.isEmpty()) {
      return;
    }
    if (engine.warnings().isNew(SWITCH)) {
      LOG.info(
          "Penstock paces the requests of this process's clients of S3; -D{}=false switches it off",
          SWITCH);
    }
    OutsideRequests ofBucket = engine.outside(facts.get().bucket(), this::settings);
    io.penstock.core.request.Context own =
        io.penstock.core.request.Context.of(engine.callers().current());
    own.attempt().isOf(client(agent));
    facts.get().range().ifPresent(own.attempt()::asksFor);
    long arrived = engine.time().nowNanos();
    Optional<Sending> begun =
        ofBucket.begin(meaning(facts.get(), sentBytes(http), request), own, waitMax(attributes));
    attributes.putAttribute(WAITED, waited(attributes) + engine.time().nowNanos() - arrived);
    begun.ifPresent(
        sending -> {
          attributes.putAttribute(FACTS, facts.get());
          attributes.putAttribute(CONTEXT, own);
          attributes.putAttribute(UNDER_WAY, sending);
        });
  }

  /** The SDK's own request says what it is about, where it is for a bucket and no access point. */
  private static Optional<HttpFacts> facts(SdkRequest request, SdkHttpRequest http) {
    Optional<String> bucket = text(request, "Bucket").or(() -> text(request, "DestinationBucket"));
    return bucket.filter(name -> !name.startsWith("arn:")).isPresent()
        ? HttpFacts.ofNamed(
            http,
            bucket.get(),
            text(request, "Key").or(() -> text(request, "DestinationKey")).orElse(""))
        : HttpFacts.of(http, bucket);
  }

  private static Optional<String> text(SdkRequest request, String field) {
    return request.getValueForField(field, String.class);
  }

  private static long waited(ExecutionAttributes attributes) {
    Long nanos = attributes.getAttribute(WAITED);
    return nanos == null ? 0 : nanos;
  }

  /** Waits end at different times, so that what has waited too long is not sent all at once. */
  private Duration waitMax(ExecutionAttributes attributes) {
    if (attributes.getAttribute(SdkExecutionAttribute.CLIENT_TYPE) == ClientType.ASYNC) {
      String thread = Thread.currentThread().getName();
      return THREADS_OF_SDK.stream().anyMatch(thread::startsWith) ? Duration.ZERO : ASYNC_WAIT_MAX;
    }
    Duration most;
    synchronized (chance) {
      most = WAIT_MAX.minusMillis(chance.nextLong(WAIT_MAX.toMillis() / 2));
    }
    Duration left = most.minusNanos(waited(attributes));
    return left.isNegative() ? Duration.ZERO : left;
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

  /** Returns the settings, and begins the log that they may ask for. */
  private Settings settings() {
    Settings settings = engine.applicationSettings().orElseGet(this::ofSystem);
    try {
      engine.log(settings);
    } catch (IOException e) {
      if (engine.warnings().isNew(SWITCH + " log")) {
        LOG.warn("The log of requests cannot be written: {}", e.toString());
      }
    }
    return settings;
  }

  private Settings ofSystem() {
    Map<String, String> all = new HashMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      if (name.startsWith(PREFIX) && !name.equals(SWITCH)) {
        all.put(name, System.getProperty(name));
      }
    }
    // Says once which of them are no settings.
    return Settings.of(
        engine.warnings().isNew(SWITCH + " settings")
            ? PenstockHttpClient.settings(all, LOG)
            : all);
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
    HttpFacts facts = attributes.getAttribute(FACTS);
    if (http.isSuccessful()) {
      if (facts.operation() == Operation.GET) {
        attributes
            .getAttribute(CONTEXT)
            .attempt()
            .received(
                http.firstMatchingHeader("Content-Length")
                    .map(HttpAnswer::size)
                    .map(size -> Math.max(0, size))
                    .orElse(0L));
      }
      sending.answered();
      return;
    }
    sending.failed(
        new StoreException(
            kind(facts, http.statusCode()),
            facts.operation(),
            facts.object(),
            http.statusCode() + ".",
            http.firstMatchingHeader("x-amz-request-id").orElse(null),
            null));
  }

  /** Tells by the status alone, since the content is for the SDK. */
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
      sending.lost(why);
    }
  }

  private void safely(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      isUnusable = true; // It would fail with each request.
      if (engine.warnings().isNew(SWITCH + " failed")) {
        LOG.warn("Requests of this process's clients of S3 are not paced and not counted", e);
      }
    }
  }
}
