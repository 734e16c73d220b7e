/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.request.Attempt;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A store whose requests take scripted times, at once when there is no script. While one is under
 * way virtual time goes on and the watch looks; an attempt that is cut fails. It moves content in
 * the first part of that time.
 */
public final class SlowStore extends StoreWrapper {
  private static final int STEP_MILLIS = 10;

  /** Whether the store has acted when it fails, and with what. */
  private record Step(long millis, long movingMillis, Kind failure) {}

  private final VirtualTime time;
  private final Watchdog watch;
  private final Deque<Step> script = new ArrayDeque<>();
  private int requests;

  public SlowStore(ObjectStore inner, VirtualTime time, Watchdog watch) {
    super(inner);
    this.time = time;
    this.watch = watch;
  }

  public SlowStore takes(long millis) {
    script.add(new Step(millis, 0, null));
    return this;
  }

  public SlowStore fails(long millis, Kind kind) {
    script.add(new Step(millis, 0, kind));
    return this;
  }

  public SlowStore movesFor(long movingMillis, long millis) {
    script.add(new Step(millis, movingMillis, null));
    return this;
  }

  public int requests() {
    return requests;
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    requests++;
    Attempt attempt = Attempt.current().orElseThrow();
    attempt.goesTo("192.0.2." + requests);
    Step step = script.isEmpty() ? new Step(0, 0, null) : script.remove();
    for (long spent = 0; spent < step.millis(); spent += STEP_MILLIS) {
      time.advance(Duration.ofMillis(STEP_MILLIS));
      if (spent < step.movingMillis()) {
        attempt.moved(1_000);
      }
      watch.tick(time.nowNanos());
      if (attempt.cutBecause().isPresent()) {
        throw failure(Kind.CONNECTION_LOST, operation, key, "Socket closed.");
      }
    }
    if (step.failure() != null) {
      throw failure(step.failure(), operation, key, "scripted " + step.failure() + ".");
    }
    attempt.sent();
    return call.run();
  }

  private StoreException failure(Kind kind, Operation operation, String key, String problem) {
    return StoreException.of(kind, operation, "s3://" + bucket() + "/" + key, problem);
  }
}
