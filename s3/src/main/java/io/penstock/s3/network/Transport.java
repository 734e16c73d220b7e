/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.request.Attempt;
import io.penstock.core.time.Time;
import io.penstock.s3.network.HttpExchange.Router;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/** Wraps the SDK's HTTP client: it chooses the address of each request, and attempts can be cut. */
public final class Transport implements SdkHttpClient {
  private static final int LINGER_SECONDS = 10;

  private final SdkHttpClient client;
  private final Optional<Router> router;
  private final Optional<AuditReferer> audit;
  private final ThreadPoolExecutor beside;

  private Transport(
      SdkHttpClient client,
      Optional<Router> router,
      Optional<AuditReferer> audit,
      ThreadPoolExecutor beside) {
    this.client = client;
    this.audit = audit;
    this.router = router;
    this.beside = beside;
  }

  /**
   * The settings for looking up and using addresses.
   *
   * @param ttl time from one look-up of a host to the next; later ones run in the background
   * @param time tells when a look-up is due
   */
  public record Spread(Resolver resolver, Duration ttl, Time time) {}

  /**
   * Returns a builder that wraps the client of the given builder. The SDK owns the client and
   * closes it.
   *
   * @param client is changed, so it is used for this client only
   * @param spread empty if the client chooses addresses itself, which is necessary behind a proxy
   * @param audit makes a header of each request that says for what it is made
   */
  public static Builder builder(
      Apache5HttpClient.Builder client, Optional<Spread> spread, Optional<AuditReferer> audit) {
    return new Builder(client, spread, audit);
  }

  /** Builds the client when the SDK has its defaults. */
  public static final class Builder implements SdkHttpClient.Builder<Builder> {
    private final Apache5HttpClient.Builder client;
    private final Optional<Spread> spread;
    private final Optional<AuditReferer> audit;

    private Builder(
        Apache5HttpClient.Builder client, Optional<Spread> spread, Optional<AuditReferer> audit) {
      this.client = client;
      this.spread = spread;
      this.audit = audit;
    }

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      ThreadPoolExecutor beside = oneThread();
      Optional<Router> router = spread.map(s -> routerOf(s, beside));
      router.ifPresent(r -> client.httpRoutePlanner(r.routes()));
      return new Transport(client.buildWithDefaults(defaults), router, audit, beside);
    }
  }

  private static Router routerOf(Spread spread, ThreadPoolExecutor beside) {
    return new Router(
        new Addresses(spread.resolver(), spread.ttl(), spread.time(), beside), new AddressRoutes());
  }

  /**
   * Returns an executor with one thread. The thread starts with the first background look-up, and
   * ends when there are no more.
   */
  private static ThreadPoolExecutor oneThread() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            LINGER_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "penstock-dns");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    Optional<Attempt> attempt = Attempt.current();
    return router.isEmpty() && attempt.isEmpty()
        ? client.prepareRequest(request)
        : new HttpExchange(client, router, withReferer(request, attempt), attempt);
  }

  private HttpExecuteRequest withReferer(HttpExecuteRequest request, Optional<Attempt> attempt) {
    if (audit.isEmpty() || attempt.isEmpty()) {
      return request;
    }
    return HttpExecuteRequest.builder()
        .request(new WithReferer(request.httpRequest(), audit.get().text(attempt.get())))
        .contentStreamProvider(request.contentStreamProvider().orElse(null))
        .metricCollector(request.metricCollector().orElse(null))
        .build();
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    beside.shutdownNow();
    client.close();
  }
}
