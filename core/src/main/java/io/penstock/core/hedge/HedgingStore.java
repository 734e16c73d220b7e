/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.deadline.DeadlineStore;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Part;
import io.penstock.core.store.PartNumbers;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.Upload;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a second attempt beside one that is slow and takes the first answer. Only requests that
 * may be made twice at once are hedged: reads, part uploads, unconditional writes of the same
 * bytes, conditional ones with a write id, by which the one that came first is known, and Completes
 * on stores where none may be cut; never one whose second arrival means something else than its
 * first.
 */
public final class HedgingStore extends StoreWrapper {
  private static final Logger LOG = LoggerFactory.getLogger(HedgingStore.class);

  /**
   * A plain PUT of a few milliseconds is not worth the traces that a second one can leave: it may
   * take effect after its key was deleted, and a PUT that is cut short in the middle makes MinIO
   * show its key as a directory. A straggler is worth it.
   */
  private static final long PUT_DELAY_MIN_NANOS = Duration.ofSeconds(2).toNanos();

  private final HedgeConfig config;
  private final HedgeDecider decider;
  private final Race.Track track;
  private volatile boolean writesToo = true;

  /**
   * @param beside what hedges go through, to the same inner store: they wait for permits of their
   *     own there
   * @param pool where second attempts run; it refuses what it has no thread for
   */
  public HedgingStore(
      ObjectStore inner,
      ObjectStore beside,
      HedgeConfig config,
      HedgeDecider decider,
      Watchdog watch,
      HedgeMetrics metrics,
      Executor pool) {
    super(inner);
    this.config = config;
    this.decider = decider;
    this.track = new Race.Track(inner, beside, decider, watch, pool, metrics);
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    return read(
        Operation.GET,
        DeadlineStore.lengthOf(range),
        (store, gate, attempt) -> store.get(key, range, ifMatch));
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    return read(Operation.HEAD, 0, (store, gate, attempt) -> store.head(key));
  }

  @Override
  public ListPage list(ListRequest request) throws IOException {
    return read(Operation.LIST, 0, (store, gate, attempt) -> store.list(request));
  }

  private <T> T read(Operation operation, long bytes, Race.Request<T> request) throws IOException {
    return config.enabled()
        ? new Race<>(track, decider.begin(operation, bytes), request).run()
        : request.to(inner, body -> body, 0);
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    if (condition.writeId().isPresent() && config.enabled()) {
      return new IdentifiedPut(key, body, condition).in(track, decider);
    }
    if (!condition.equals(Condition.NONE) || !hedgesWrites()) {
      return inner.put(key, body, condition);
    }
    Race<String> race =
        new Race<>(
            track,
            Math.max(PUT_DELAY_MIN_NANOS, decider.begin(Operation.PUT, body.sizeBytes())),
            (store, gate, attempt) -> store.put(key, gate.apply(body), condition));
    String etag = race.run();
    return isCertain(race, etag, body) ? etag : inner.put(key, body, condition);
  }

  /** A part whose number is not its own alone is hedged only where cuts do no harm. */
  @Override
  public Part uploadPart(Upload upload, int number, Body body) throws IOException {
    return uploadPart(upload, PartNumbers.only(number), body);
  }

  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    boolean isSafe = numbers.areSpared() || inner.uploadsSurviveCuts();
    if (!hedgesWrites() || !isSafe) {
      return inner.uploadPart(upload, numbers.first(), body);
    }
    Race<Part> race =
        new Race<>(
            track,
            decider.begin(Operation.UPLOAD_PART, body.sizeBytes()),
            (store, gate, attempt) ->
                store.uploadPart(upload, numbers.ofAttempt(attempt), gate.apply(body)));
    Part part = race.run();
    // Under a number of its own, a part has no rival.
    boolean isCertain = numbers.areSpared() || isCertain(race, part.etag(), body);
    return isCertain ? part : inner.uploadPart(upload, numbers.first(), body);
  }

  /** See {@link DoubledComplete}; where nothing is lost, deadlines do the same for less. */
  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    if (!config.enabled() || inner.uploadsSurviveCuts() || !condition.equals(Condition.NONE)) {
      return inner.completeUpload(pending, condition);
    }
    return new DoubledComplete(pending).in(track, decider);
  }

  private boolean hedgesWrites() {
    return config.enabled() && writesToo;
  }

  /**
   * Returns true if the ETag is the one that the store has now. Two attempts of the same bytes get
   * the same ETag where it is made of the content. With KMS or customer keys it is not; then only a
   * write that has no rival tells, and from there on none gets one.
   */
  private boolean isCertain(Race<?> race, String etag, Body body) throws IOException {
    if (!race.anotherMayHaveArrived() || etag.equals(Etags.ofContent(body))) {
      return true;
    }
    if (writesToo) {
      writesToo = false;
      LOG.info("{}: ETags are not of the content, so writes are hedged no more", bucket());
    }
    return false;
  }
}
