/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.attempt.Attempt;
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
 * One request on its way and its answer. When no connection comes about, nothing was sent, and the
 * next address is tried at once.
 */
final class Exchange implements ExecutableHttpRequest {
  /** More would take longer than a retry's pause is worth. */
  private static final int MAX_ADDRESSES = 3;

  private final SdkHttpClient client;
  private final Optional<Router> router;
  private final HttpExecuteRequest request;
  private final Optional<Attempt> attempt;
  private volatile ExecutableHttpRequest current;
  private Optional<Place> place = Optional.empty();

  /** The places that requests may go to, and the means to send them there. */
  record Router(Addresses addresses, AddressRoutes routes) {}

  /**
   * @param router empty when somebody else decides where requests go
   */
  Exchange(
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
        // Waiting for a connection ends with a CancellationException.
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

  /** Returns what to throw instead; the address is told. */
  IOException failed(IOException e) {
    Optional<String> cut = attempt.flatMap(Attempt::cutBecause);
    place.ifPresent(p -> p.ended(cut.isPresent() ? Outcome.SLOW : outcomeOf(e)));
    return cut.isPresent() && !(e instanceof CutShort) ? new CutShort(cut.get(), e) : e;
  }

  private static Outcome outcomeOf(IOException e) {
    // The classes below it are timeouts; it is what an interrupted thread gets.
    return e.getClass() == InterruptedIOException.class ? Outcome.UNKNOWN : Outcome.BROKEN;
  }

  /** An answer came, and nobody wants more of it. */
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
