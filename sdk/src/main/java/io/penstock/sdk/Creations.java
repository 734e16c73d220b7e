/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Attempt;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;

/**
 * The attempts to create one upload. Each makes an upload of its own, and only its answer says
 * which. So the slower attempt is not cut: it goes on in the background, and what it makes is
 * aborted.
 */
final class Creations {
  /** The answer is no object. */
  private static final Room NONE = new Room(0);

  private static final Pattern ID = Pattern.compile("<UploadId>([^<]{1,2000})</UploadId>");

  private final HttpFacts facts;
  private final OwnRequests own;
  private final Executor background;
  private final List<String> made = new ArrayList<>();
  private boolean isOver;

  /**
   * @param background sends the attempts, and goes on with the slower ones
   */
  Creations(HttpFacts facts, OwnRequests own, Executor background) {
    this.facts = facts;
    this.own = own;
    this.background = background;
  }

  /** Returns the answer to an attempt, which ends sooner here if it is cut. */
  HttpAnswer send(ExecutableHttpRequest sending, Attempt attempt) throws IOException {
    CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
    try {
      background.execute(() -> inBackground(sending, attempt, answer));
    } catch (RejectedExecutionException e) {
      throw new IOException("the client is closed", e);
    }
    attempt.onCut(() -> answer.completeExceptionally(new IOException("the attempt was cut")));
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while an upload was created");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IOException(e.getCause());
    }
  }

  private void inBackground(
      ExecutableHttpRequest sending, Attempt attempt, CompletableFuture<HttpAnswer> answer) {
    try {
      HttpExecuteResponse response = sending.call();
      HttpAnswer whole = HttpAnswer.of(response, facts, attempt, NONE);
      if (whole.failure(facts).isEmpty()) {
        id(whole).ifPresent(this::came);
      }
      answer.complete(whole);
    } catch (IOException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private static Optional<String> id(HttpAnswer answer) {
    Matcher id = ID.matcher(answer.text());
    return id.find() ? Optional.of(id.group(1).replace("&amp;", "&")) : Optional.empty();
  }

  private void came(String id) {
    synchronized (this) {
      if (!isOver) {
        made.add(id);
        return;
      }
    }
    own.abortUpload(facts, id);
  }

  /**
   * Aborts all uploads but the one that is used, now or when they are made.
   *
   * @param used the answer that is used; empty if none is
   */
  void end(Optional<HttpAnswer> used) {
    String kept = used.flatMap(Creations::id).orElse("");
    List<String> others;
    synchronized (this) {
      isOver = true;
      others = made.stream().filter(id -> !id.equals(kept)).toList();
    }
    if (others.isEmpty()) {
      return;
    }
    try {
      background.execute(() -> others.forEach(id -> own.abortUpload(facts, id)));
    } catch (RejectedExecutionException e) {
      // The client is closed, and cannot abort anything.
    }
  }
}
