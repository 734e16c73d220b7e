/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.request.Attempt;
import io.penstock.s3.network.AddressBook.Outcome;
import io.penstock.s3.network.Addresses.Place;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Sends one request and reads its answer. If no connection can be opened, nothing was sent, and the
 * next address is tried at once.
 */
final class HttpExchange implements ExecutableHttpRequest {
  /** More addresses would take longer than the pause before a retry. */
  private static final int MAX_ADDRESSES = 3;

  private final SdkHttpClient client;
  private final Optional<Router> router;
  private final HttpExecuteRequest request;
  private final Optional<Attempt> attempt;
  private volatile ExecutableHttpRequest current;
  private Optional<Place> place = Optional.empty();

  /** The addresses that requests may go to, and the routes to them. */
  record Router(Addresses addresses, AddressRoutes routes) {}

  /**
   * @param router empty if addresses are not chosen here
   */
  HttpExchange(
      SdkHttpClient client,
      Optional<Router> router,
      HttpExecuteRequest request,
      Optional<Attempt> attempt) {
    this.client = client;
    this.router = router;
    this.attempt = attempt;
    this.request = attempt.map(a -> metered(request, a)).orElse(request);
  }

  private static HttpExecuteRequest metered(HttpExecuteRequest request, Attempt attempt) {
    if (request.contentStreamProvider().isEmpty()) {
      return request;
    }
    long sizeBytes =
        request
            .httpRequest()
            .firstMatchingHeader("Content-Length")
            .map(Long::parseLong)
            .orElse(Long.MAX_VALUE);
    return HttpExecuteRequest.builder()
        .request(request.httpRequest())
        .contentStreamProvider(
            new MeteredContent(request.contentStreamProvider().get(), sizeBytes, attempt))
        .metricCollector(request.metricCollector().orElse(null))
        .build();
  }

  @Override
  public HttpExecuteResponse call() throws IOException {
    Set<InetAddress> tried = new HashSet<>();
    place = choose(tried);
    while (true) {
      try {
        return answered(send());
      } catch (IOException e) {
        IOException failure = failed(e);
        Optional<Place> next =
            Connecting.failed(failure) && place.isPresent() && tried.size() < MAX_ADDRESSES
                ? choose(tried)
                : Optional.empty();
        if (next.isEmpty()) {
          throw failure;
        }
        place = next;
      } catch (RuntimeException e) {
        // If the attempt is cut while it waits for a connection, a CancellationException is thrown.
        if (attempt.flatMap(Attempt::cutBecause).isPresent()) {
          throw failed(new IOException(e));
        }
        place.ifPresent(p -> p.ended(Outcome.UNKNOWN));
        throw e;
      }
    }
  }

  private Optional<Place> choose(Set<InetAddress> tried) {
    if (router.isEmpty()) {
      return Optional.empty();
    }
    SdkHttpRequest http = request.httpRequest();
    Optional<String> avoided = attempt.flatMap(Attempt::avoided);
    Optional<Place> chosen = router.get().addresses().choose(http.host(), tried, avoided);
    chosen.ifPresent(p -> tried.add(p.address()));
    return chosen;
  }

  private HttpExecuteResponse send() throws IOException {
    ExecutableHttpRequest sending = client.prepareRequest(request);
    current = sending;
    if (attempt.isPresent()) {
      place.ifPresent(p -> attempt.get().goesTo(p.address().getHostAddress()));
      if (request.contentStreamProvider().isEmpty()) {
        attempt.get().sent();
      }
      attempt.get().onCut(sending::abort);
    }
    return place.isEmpty()
        ? sending.call()
        : router.orElseThrow().routes().to(place.get().address(), sending::call);
  }

  private HttpExecuteResponse answered(HttpExecuteResponse response) {
    if (response.responseBody().isEmpty()) {
      closed();
      return response;
    }
    AbortableInputStream body = response.responseBody().get();
    return HttpExecuteResponse.builder()
        .response(response.httpResponse())
        .responseBody(
            AbortableInputStream.create(
                new MeteredAnswer(body, this),
                () -> {
                  closed();
                  body.abort();
                }))
        .build();
  }

  void received(int count) {
    if (count < 0) {
      closed();
    } else if (attempt.isPresent()) {
      attempt.get().moved(count);
    }
  }

  /** Records the failure for the address, and returns the exception to throw. */
  IOException failed(IOException e) {
    Optional<String> cut = attempt.flatMap(Attempt::cutBecause);
    place.ifPresent(p -> p.ended(cut.isPresent() ? Outcome.SLOW : outcomeOf(e)));
    return cut.isPresent() && !(e instanceof CutShort) ? new CutShort(cut.get(), e) : e;
  }

  private static Outcome outcomeOf(IOException e) {
    // An interrupted thread gets exactly this class. Its subclasses are timeouts.
    return e.getClass() == InterruptedIOException.class ? Outcome.UNKNOWN : Outcome.BROKEN;
  }

  /** Records that an answer came and is no longer read. */
  void closed() {
    place.ifPresent(p -> p.ended(Outcome.WELL));
  }

  @Override
  public void abort() {
    ExecutableHttpRequest sending = current;
    if (sending != null) {
      sending.abort();
    }
  }
}
