/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Attempt;
import io.penstock.core.request.Context;
import io.penstock.core.request.Layer;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * One request of the SDK: its attempts pass the chain. The SDK gets the answer of the store, also
 * if it is a refusal, or an IOException if there is none; what it does then is its own affair.
 *
 * <p>The caller has signed the request, knows nothing of the attempts, and resolves no lost answer.
 * So only what means the same twice is made twice.
 */
final class HttpCall implements ExecutableHttpRequest {
  /** Exceptions of Apache's clients, before anything is sent. */
  private static final List<String> UNSENT =
      List.of(
          "ConnectTimeoutException",
          "ConnectionPoolTimeoutException",
          "ConnectionRequestTimeoutException");

  private final SdkHttpClient inner;
  private final HttpExecuteRequest request;
  private final HttpFacts facts;
  private final Optional<CopiedBody> body;
  private final BucketChain chain;
  private final OwnRequests own;
  private final Optional<Creations> creations;
  private Optional<Completion> completion = Optional.empty();
  private final Set<ExecutableHttpRequest> underWay = new HashSet<>();
  private final Map<StoreException, HttpExecuteResponse> refusals =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private boolean isOver;
  private ExecutableHttpRequest handedOut;
  private volatile HandedUp handedUp;

  HttpCall(
      SdkHttpClient inner,
      HttpExecuteRequest request,
      HttpFacts facts,
      Optional<CopiedBody> body,
      BucketChain chain,
      OwnRequests own,
      Background background) {
    this.inner = inner;
    this.request = request;
    this.facts = facts;
    this.body = body;
    this.chain = chain;
    this.own = own;
    this.creations =
        facts.operation() == Operation.CREATE_UPLOAD && own.arePossible()
            ? Optional.of(new Creations(facts, own, background))
            : Optional.empty();
  }

  /** An attempt's end after which nothing more may be tried here. */
  private static final class HandedUp extends IOException {
    private static final long serialVersionUID = 1;

    HandedUp(Throwable cause) {
      super(cause.getMessage(), cause);
    }
  }

  @Override
  public HttpExecuteResponse call() throws IOException {
    Sent used = null;
    boolean mayRepeat = false;
    try {
      if (body.isPresent()) {
        body.get().copy();
      }
      mayRepeat = body.isEmpty() || content().isPresent();
      completion = completionToSettle();
      Meaning meaning =
          new Meaning(facts, content(), isChunked(), creations.isPresent(), completion);
      awaitEarlierWrites(meaning.deleted());
      long sentBytes = body.map(CopiedBody::sizeBytes).orElse(0L);
      Layer layers = mayRepeat ? chain.repeating(facts.key()) : chain.once();
      used =
          layers.send(
              mayRepeat ? meaning.repeatable(sentBytes) : meaning.once(sentBytes),
              chain.context(),
              this::attempt);
      chain.patience().answered(facts.key());
      return used.answer().response();
    } catch (StoreException e) {
      if (mayRepeat) {
        chain.patience().failed(facts.key(), e);
      }
      Optional<Sent> made =
          completion.isPresent()
              ? completion.get().afterRefusal(e, isRepeatedAbove())
              : Optional.empty();
      return made.isPresent() ? made.get().answer().response() : refusalOr(e);
    } catch (HandedUp e) {
      Optional<Sent> answered = completion.flatMap(Completion::answered);
      return answered.isPresent() ? answered.get().answer().response() : refusalOr(e);
    } finally {
      Optional<Sent> last = Optional.ofNullable(used);
      end(last.map(Sent::call).orElse(null));
      creations.ifPresent(all -> all.end(last.map(Sent::answer)));
      body.ifPresent(CopiedBody::free);
    }
  }

  /** Returns true if the SDK makes this request because an earlier one failed. */
  private boolean isRepeatedAbove() {
    return request
        .httpRequest()
        .firstMatchingHeader("amz-sdk-request")
        .filter(attempt -> !attempt.startsWith("attempt=1;"))
        .isPresent();
  }

  private HttpExecuteResponse refusalOr(IOException failure) throws IOException {
    Throwable cause = failure instanceof HandedUp ? failure.getCause() : failure;
    boolean isAnswer =
        cause instanceof StoreException store
            && store.kind() != Kind.CONNECTION_LOST
            && store.kind() != Kind.UNREACHABLE;
    // Layers that add a sentence to a failure make it the cause of another one.
    for (Throwable each = cause; isAnswer && each != null; each = each.getCause()) {
      if (each instanceof StoreException refused && refusals.containsKey(refused)) {
        return refusals.get(refused);
      }
    }
    throw new IOException(cause.getMessage(), cause);
  }

  /**
   * An attempt that was cut, or lost its race, may still arrive, and must not undo this write.
   * Where a file in a committer's scratch directory comes back after its deletion, nobody looks for
   * it.
   */
  private void awaitEarlierWrites(List<String> deleted) throws IOException {
    switch (facts.operation()) {
      case PUT, COPY, COMPLETE_UPLOAD -> chain.awaitSettled(facts.bucket(), facts.key());
      case DELETE -> awaitUnlessScratch(facts.key());
      case DELETE_ALL -> {
        for (String key : deleted) {
          awaitUnlessScratch(key);
        }
      }
      default -> {}
    }
  }

  private void awaitUnlessScratch(String key) throws IOException {
    if (!HttpFacts.isScratch(key)) {
      chain.awaitSettled(facts.bucket(), key);
    }
  }

  /** Returns how to find out what a Complete has done; empty if this is none, or nobody can. */
  private Optional<Completion> completionToSettle() {
    return facts.operation() == Operation.COMPLETE_UPLOAD
            && !facts.isConditional()
            && own.arePossible()
        ? content()
            .map(parts -> new String(parts, StandardCharsets.UTF_8))
            .map(parts -> new Completion(facts, own, chain.time(), parts))
        : Optional.empty();
  }

  private Optional<byte[]> content() {
    return body.flatMap(CopiedBody::copied);
  }

  /** Returns true if the body is in chunks that the SDK signs, or puts before a checksum. */
  private boolean isChunked() {
    return request.httpRequest().firstMatchingHeader("x-amz-decoded-content-length").isPresent();
  }

  private Sent attempt(Context context) throws IOException {
    if (handedUp != null) {
      throw handedUp; // A layer has taken its failure for one that is repeated.
    }
    Optional<Sent> answered = completion.flatMap(Completion::answered);
    if (answered.isPresent()) {
      return answered.get();
    }
    Attempt attempt = context.attempt();
    attempt.isOf(chain.client());
    facts.range().ifPresent(attempt::asksFor);
    HttpExecuteRequest.Builder again =
        HttpExecuteRequest.builder()
            .request(request.httpRequest())
            .metricCollector(request.metricCollector().orElse(null));
    body.ifPresent(content -> again.contentStreamProvider(content.of(attempt)));
    ExecutableHttpRequest sending = inner.prepareRequest(again.build());
    if (body.isEmpty()) {
      attempt.sent();
    }
    HttpAnswer answer;
    try {
      answer =
          creations.isPresent()
              ? creations.get().send(sending, attempt)
              : sendHere(sending, attempt);
    } catch (IOException | RuntimeException e) {
      throw lost(attempt, e);
    }
    attempt.sent();
    attempt.onCut(null);
    if (attempt.cutBecause().isPresent() || isEnded()) {
      sending.abort();
      throw lost(attempt, new IOException("the attempt was ended while its answer came"));
    }
    Optional<StoreException> failure = answer.failure(facts);
    if (failure.isPresent()) {
      refusals.put(failure.get(), answer.response());
      throw once(failure.get());
    }
    return new Sent(sending, answer);
  }

  private HttpAnswer sendHere(ExecutableHttpRequest sending, Attempt attempt) throws IOException {
    begin(sending);
    attempt.onCut(sending::abort);
    return HttpAnswer.of(sending.call(), facts, attempt, chain.answers());
  }

  /** Returns the exception with which an attempt ends that got no answer, or half of one. */
  private IOException lost(Attempt attempt, Exception thrown) {
    Exception e = thrown instanceof UncheckedIOException wrapped ? wrapped.getCause() : thrown;
    if (attempt.cutBecause().isEmpty()) {
      boolean isInterrupt =
          e instanceof InterruptedIOException && e.getClass() == InterruptedIOException.class;
      if (isInterrupt || Thread.currentThread().isInterrupted() || isEnded()) {
        return e instanceof IOException failure ? failure : new IOException(e);
      }
      if (e instanceof RuntimeException failure) {
        throw failure;
      }
    }
    boolean isUnsent =
        e instanceof ConnectException
            || e instanceof UnknownHostException
            || e instanceof NoRouteToHostException
            || e instanceof SSLHandshakeException
            || UNSENT.stream().anyMatch(e.getClass().getName()::endsWith);
    // S3A takes an InterruptedIOException anywhere among the causes for an interrupt of its task.
    boolean looksLikeInterrupt =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    return once(
        new StoreException(
            isUnsent ? Kind.UNREACHABLE : Kind.CONNECTION_LOST,
            facts.operation(),
            facts.object(),
            attempt.cutBecause().orElse(String.valueOf(e.getMessage())) + ".",
            null,
            looksLikeInterrupt ? null : e));
  }

  private IOException once(StoreException failure) {
    if (!facts.isOnce() || failure.kind().retry() != Retry.IF_IDEMPOTENT) {
      return failure;
    }
    HandedUp end = new HandedUp(failure);
    handedUp = end;
    return end;
  }

  private synchronized boolean isEnded() {
    return isOver;
  }

  private void begin(ExecutableHttpRequest sending) {
    boolean isLate;
    synchronized (this) {
      isLate = isOver;
      underWay.add(sending);
    }
    if (isLate) {
      sending.abort();
    }
  }

  /** Ends all attempts but the one whose answer is used: they would hold connections. */
  private void end(ExecutableHttpRequest used) {
    List<ExecutableHttpRequest> others;
    synchronized (this) {
      isOver = true;
      handedOut = used == null ? handedOut : used;
      underWay.remove(used);
      others = List.copyOf(underWay);
      underWay.clear();
    }
    others.forEach(ExecutableHttpRequest::abort);
  }

  @Override
  public void abort() {
    end(null);
    ExecutableHttpRequest streaming;
    synchronized (this) {
      streaming = handedOut;
    }
    if (streaming != null) {
      streaming.abort();
    }
  }
}
