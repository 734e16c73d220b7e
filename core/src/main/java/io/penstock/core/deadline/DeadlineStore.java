/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.attempt.Attempt;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Landed;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Gives each attempt a deadline, cuts attempts whose content stops moving, and learns how long
 * attempts take. An attempt that was cut fails with {@code CONNECTION_LOST} and the reason.
 */
public final class DeadlineStore extends StoreWrapper {
  /** Failures that are answers of the store and take as long as any other answer. */
  private static final Set<Kind> ANSWERS =
      Set.of(
          Kind.NO_SUCH_KEY,
          Kind.NO_SUCH_UPLOAD,
          Kind.PRECONDITION_FAILED,
          Kind.RANGE_NOT_SATISFIABLE);

  // The store joins the parts while the caller waits. This is quick only up to these limits.
  private static final int COMPLETE_PARTS_MAX = 100;
  private static final long COMPLETE_BYTES_MAX = 1L << 30;

  /**
   * The number of bytes that each key of a bulk delete counts as, so that short and long lists are
   * told apart.
   */
  private static final long BYTES_PER_DELETED_KEY = 1 << 10;

  private final DeadlineDecider decider;
  private final LatencyModel model;
  private final Watchdog watch;
  private final HedgeMetrics metrics;

  public DeadlineStore(
      ObjectStore inner,
      DeadlineDecider decider,
      LatencyModel model,
      Watchdog watch,
      HedgeMetrics metrics) {
    super(inner);
    this.decider = decider;
    this.model = model;
    this.watch = watch;
    this.metrics = metrics;
  }

  /**
   * The facts about a request.
   *
   * @param weightBytes content bytes, as far as they decide how long the request takes
   */
  private record Asked(Operation operation, String key, long weightBytes) {}

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    return guarded(new Asked(operation, key, sentBytes), AttemptTimer.isBounded(operation), call);
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    return guarded(
        new Asked(Operation.GET, key, lengthOf(range)), true, () -> inner.get(key, range, ifMatch));
  }

  @Override
  public Landed read(String key, ByteRange range, String etag, ByteSink sink) throws IOException {
    return guarded(
        new Asked(Operation.GET, key, range.lengthBytes()),
        true,
        () -> inner.read(key, range, etag, sink));
  }

  @Override
  public Map<String, StoreException> deleteAll(List<String> keys) throws IOException {
    String first = keys.isEmpty() ? "" : keys.get(0);
    return guarded(
        new Asked(Operation.DELETE_ALL, first, keys.size() * BYTES_PER_DELETED_KEY),
        true,
        () -> inner.deleteAll(keys));
  }

  /**
   * Completes an upload, without a deadline if the store may lose uploads whose completion is cut.
   * MinIO removes the parts before the object is there, and stops in between if its client
   * disconnects: the upload is then lost.
   */
  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    boolean quick =
        inner.traits().uploadsSurviveCuts()
            && pending.parts().size() <= COMPLETE_PARTS_MAX
            && pending.sizeBytes() <= COMPLETE_BYTES_MAX;
    return guarded(
        new Asked(Operation.COMPLETE_UPLOAD, pending.key(), pending.sizeBytes()),
        quick,
        () -> inner.completeUpload(pending, condition));
  }

  /** Returns the number of bytes that a range asks for. */
  public static long lengthOf(Range range) {
    return range instanceof ByteRange bytes
        ? bytes.lengthBytes()
        : ((SuffixRange) range).lengthBytes();
  }

  private <T> T guarded(Asked asked, boolean bounded, Call<T> call) throws IOException {
    Optional<Attempt> outer = Attempt.current();
    Attempt attempt = outer.orElseGet(Attempt::new);
    attempt.begins();
    if (attempt.cutBecause().isPresent()) {
      throw lost(asked, attempt.cutBecause().get(), null);
    }
    AttemptTimer timer = timer(asked, bounded, attempt);
    decider.began(asked.operation(), asked.weightBytes());
    watch.add(timer);
    try {
      T answer = outer.isPresent() ? call.run() : attempt.run(call::run);
      answered(asked, timer);
      return answer;
    } catch (IOException e) {
      throw failed(asked, attempt, timer, e);
    } finally {
      watch.remove(timer);
      decider.ended(asked.operation(), asked.weightBytes());
    }
  }

  private AttemptTimer timer(Asked asked, boolean bounded, Attempt attempt) {
    LongSupplier deadline =
        bounded
            ? () -> decider.deadlineNanos(asked.operation(), asked.weightBytes())
            : () -> DeadlineDecider.NEVER;
    return new AttemptTimer(
        attempt,
        asked.operation() == Operation.GET,
        watch.nowNanos(),
        deadline,
        decider.stallNanos(),
        metrics);
  }

  private void answered(Asked asked, AttemptTimer timer) {
    long nowNanos = watch.nowNanos();
    model.took(asked.operation(), asked.weightBytes(), timer.ageNanos(nowNanos), nowNanos);
    decider.answered(asked.operation(), asked.weightBytes());
  }

  /** Learns from the failure and returns the exception to throw. */
  private IOException failed(
      Asked asked, Attempt attempt, AttemptTimer timer, IOException failure) {
    Optional<StoreException> known =
        failure instanceof StoreException own ? Optional.of(own) : Optional.empty();
    if (known.filter(own -> ANSWERS.contains(own.kind())).isPresent()) {
      answered(asked, timer);
      return failure;
    }
    if (failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
      return failure;
    }
    boolean cut = attempt.cutBecause().isPresent();
    long nowNanos = watch.nowNanos();
    if (cut || known.filter(own -> own.kind() == Kind.CONNECTION_LOST).isPresent()) {
      long age = timer.ageNanos(nowNanos);
      model.tookAtLeast(asked.operation(), asked.weightBytes(), age, nowNanos);
    }
    if (timer.isCutAtDeadline()) {
      decider.cut(asked.operation(), asked.weightBytes(), timer.startNanos(), nowNanos);
    }
    return timer.why() == null ? failure : lost(asked, why(asked, timer, nowNanos), failure);
  }

  private String why(Asked asked, AttemptTimer timer, long nowNanos) {
    Optional<String> setting =
        timer.isCutAtDeadline()
            ? decider.cutBy(asked.operation(), asked.weightBytes(), timer.ageNanos(nowNanos))
            : Optional.empty();
    return timer.why() + setting.map(name -> ", set by " + name).orElse("");
  }

  private StoreException lost(Asked asked, String why, IOException cause) {
    return new StoreException(
        Kind.CONNECTION_LOST,
        asked.operation(),
        "s3://" + bucket() + "/" + asked.key(),
        why + ".",
        cause instanceof StoreException known ? known.requestId().orElse(null) : null,
        cause);
  }
}
