/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Attempt;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.ExecutableHttpRequest;

/**
 * The attempts to create one upload. Each makes an upload of its own, and only its answer says
 * which. So the slower attempt is not cut: it goes on in the background for a while, and what it
 * makes is aborted.
 */
final class Creations {
  private static final Pattern ID = Pattern.compile("<UploadId>([^<]{1,2000})</UploadId>");

  private final HttpFacts facts;
  private final OwnRequests own;
  private final Background background;
  private final List<String> made = new ArrayList<>();
  private String kept = "";
  private boolean isOver;

  /**
   * @param background sends the attempts, and goes on with the slower ones
   */
  Creations(HttpFacts facts, OwnRequests own, Background background) {
    this.facts = facts;
    this.own = own;
    this.background = background;
  }

  /**
   * Returns the answer to an attempt, which ends sooner here if it is cut.
   *
   * @throws IllegalStateException when the client is closed
   */
  HttpAnswer send(ExecutableHttpRequest sending, Attempt attempt) throws IOException {
    CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
    Background.Call call = background.call(sending, () -> inBackground(sending, attempt, answer));
    attempt.onCut(
        () -> {
          answer.completeExceptionally(new IOException("the attempt was cut"));
          call.leave();
        });
    try {
      return answer.get();
    } catch (InterruptedException e) {
      call.leave();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while an upload was created");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw (Error) e.getCause();
    }
  }

  private void inBackground(
      ExecutableHttpRequest sending, Attempt attempt, CompletableFuture<HttpAnswer> answer) {
    try {
      HttpAnswer whole = HttpAnswer.of(sending.call(), facts, attempt, new Room(0));
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
      made.add(id);
      if (!isOver || !isAbandoned(id)) {
        return;
      }
    }
    own.abortUpload(facts, id);
  }

  /** Some stores make the id of the key: then both attempts have made the same upload. */
  private boolean isAbandoned(String id) {
    return !id.equals(kept) && Collections.frequency(made, id) == 1;
  }

  /**
   * Aborts all uploads but the one that is used, now or when they are made.
   *
   * @param used the answer that is used; empty if none is
   */
  void end(Optional<HttpAnswer> used) {
    List<String> others;
    synchronized (this) {
      isOver = true;
      kept = used.flatMap(Creations::id).orElse("");
      others = made.stream().filter(this::isAbandoned).toList();
    }
    if (!others.isEmpty()) {
      background.run(() -> others.forEach(id -> own.abortUpload(facts, id)));
    }
  }
}
