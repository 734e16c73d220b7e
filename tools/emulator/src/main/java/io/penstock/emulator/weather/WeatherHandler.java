/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.core.time.Time;
import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.RequestIds;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.S3Error;
import io.penstock.emulator.http.Handler;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.HttpResponse.Delivery;
import io.penstock.emulator.http.Payload;
import io.penstock.emulator.http.Shaping;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the weather to the requests of a handler. Counts them and writes the access log. */
public final class WeatherHandler implements Handler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WeatherHandler.class);

  private static final Duration WORTH_A_LOOK = Duration.ofMillis(500);

  private final Handler inside;
  private final Addressing addressing;
  private final Time time;
  private final RequestCounts counts = new RequestCounts();
  private final Optional<AccessLogWriter> accessLog;
  private volatile Outlook outlook;

  private record Outlook(Weather weather, Deciders deciders, RequestIds ids) {}

  public WeatherHandler(
      Handler inside,
      Addressing addressing,
      Time time,
      Weather weather,
      Optional<Path> accessLogFile)
      throws IOException {
    this.inside = inside;
    this.addressing = addressing;
    this.time = time;
    this.accessLog =
        accessLogFile.isPresent()
            ? Optional.of(new AccessLogWriter(accessLogFile.get()))
            : Optional.empty();
    this.outlook = outlook(weather);
  }

  public RequestCounts counts() {
    return counts;
  }

  /** Changes the weather from the next request on. The counts and the access log continue. */
  public void weather(Weather weather) {
    outlook = outlook(weather);
  }

  private static Outlook outlook(Weather weather) {
    if (!weather.isCalm()) {
      LOG.info("weather with seed {}: {}", weather.seed(), weather);
    }
    RequestIds ids = new RequestIds(new SplittableRandom(~weather.seed()));
    return new Outlook(weather, new Deciders(weather), ids);
  }

  /** Creates the shaping for a new connection. */
  public Shaping shaping() {
    long bytesPerSecond = outlook.weather().bytesPerSecond();
    return bytesPerSecond == 0 ? Shaping.NONE : new Bandwidth(bytesPerSecond, time);
  }

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    Outlook now = outlook;
    long startNanos = time.nowNanos();
    Instant received = time.now();
    S3Call call = S3Call.of(request, addressing);
    HttpResponse response;
    try {
      int weight = now.deciders().weighs(call) ? keysIn(request.body().keep()) : 1;
      String called = request.caller().called().getHostAddress();
      Deciders.Decision decision =
          now.deciders().decide(call, isConditional(request), weight, called, startNanos);
      pause(decision.delay());
      if (!now.weather().actsForTheGone() && waited(decision) && request.caller().isGone()) {
        throw new EOFException("the client went away while its request waited");
      }
      Optional<RefusedKeys> refused = now.deciders().refusedKeys(call);
      Handler store = refused.isPresent() ? asked -> refused.get().answer(asked, inside) : inside;
      response = suffer(decision.fault(), request, store, now.ids());
    } catch (IOException e) {
      counts.add(call.operation().apiName(), RequestCounts.RESET, request.body().readBytes(), 0);
      // A client that disconnects while it sends has made a request, so count and log it.
      Observed lost =
          new Observed(call, request, HttpResponse.reset(), received, startNanos, time.nowNanos());
      new ObservedPayload(lost, 0, time, counts, accessLog).close();
      throw e;
    }
    long planned = plannedBytes(request, response);
    counts.add(
        call.operation().apiName(),
        response.status(),
        request.body().readBytes(),
        Math.max(0, planned));
    Observed observed =
        new Observed(call, request, response, received, startNanos, time.nowNanos());
    return response.with(new ObservedPayload(observed, planned, time, counts, accessLog));
  }

  /**
   * Returns true if the delay is long enough to check the client's connection, which takes 1 ms.
   */
  private static boolean waited(Deciders.Decision decision) {
    return decision.delay().compareTo(WORTH_A_LOOK) > 0;
  }

  private static boolean isConditional(HttpRequest request) {
    return request.headers().has("If-Match") || request.headers().has("If-None-Match");
  }

  private static int keysIn(byte[] body) {
    return Math.max(1, new String(body, StandardCharsets.ISO_8859_1).split("<Key>", -1).length - 1);
  }

  private static HttpResponse suffer(
      Fault fault, HttpRequest request, Handler inside, RequestIds ids) throws IOException {
    return switch (fault.kind()) {
      case NONE, STALL -> inside.handle(request);
      case WEB_PAGE, EMPTY_BODY, EMPTY_RESULT, ERROR_INSIDE -> OddAnswers.instead(fault.kind());
      case NO_LENGTH, WEAK_ETAG, NO_ETAG, NO_TOKEN ->
          OddAnswers.changed(fault.kind(), inside.handle(request));
      case ERROR_BEFORE -> error(fault.error().orElseThrow(), request, ids);
      case RESET_BEFORE -> HttpResponse.reset();
      case TRUNCATE -> inside.handle(request).delivered(Delivery.TRUNCATED);
      case ERROR_AFTER -> {
        inside.handle(request).payload().close();
        yield error(fault.error().orElseThrow(), request, ids);
      }
      case RESET_AFTER -> {
        inside.handle(request).payload().close();
        yield HttpResponse.reset();
      }
    };
  }

  private static HttpResponse error(S3Error error, HttpRequest request, RequestIds ids) {
    int mark = request.target().indexOf('?');
    String path = mark < 0 ? request.target() : request.target().substring(0, mark);
    return error.toResponse(path, ids.next());
  }

  private static long plannedBytes(HttpRequest request, HttpResponse response) {
    long length = response.payload().lengthBytes();
    if (request.method().equals("HEAD") || length == Payload.UNKNOWN) {
      return length == Payload.UNKNOWN ? Payload.UNKNOWN : 0;
    }
    return response.delivery() == Delivery.TRUNCATED ? length / 2 : length;
  }

  private void pause(Duration delay) throws InterruptedIOException {
    try {
      time.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("server closed while a request waited").initCause(e);
    }
  }

  @Override
  public void close() {
    accessLog.ifPresent(AccessLogWriter::close);
  }
}
