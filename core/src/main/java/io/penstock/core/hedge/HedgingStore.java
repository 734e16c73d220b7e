/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.deadline.DeadlineStore;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Landed;
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
 * Starts a second attempt beside a slow one and takes the first answer. Only requests that may be
 * made twice at the same time are hedged: reads; part uploads; unconditional writes of the same
 * bytes; conditional writes with a write id, which shows whose write came first; and Completes, but
 * only on stores that may lose an upload when its Complete is cut off. A request is never hedged if
 * its second arrival could have another effect than its first.
 */
public final class HedgingStore extends StoreWrapper {
  private static final Logger LOG = LoggerFactory.getLogger(HedgingStore.class);

  /**
   * Hedges of plain PUTs start late, because a second PUT can leave traces: it may take effect
   * after its key was deleted, and a PUT that is cut in the middle makes MinIO show its key as a
   * directory. These risks are accepted only for very slow PUTs, not to save a few milliseconds.
   */
  private static final long PUT_DELAY_MIN_NANOS = Duration.ofSeconds(2).toNanos();

  private final HedgeConfig config;
  private final HedgeDecider decider;
  private final Race.Track track;
  private volatile boolean writesToo = true;

  /**
   * @param beside the store that hedges are sent through, around the same inner store; hedges wait
   *     there for permits of their own
   * @param pool runs second attempts; it refuses work when it has no free thread
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
  public Landed read(String key, ByteRange range, String etag, ByteSink sink) throws IOException {
    return read(
        Operation.GET,
        range.lengthBytes(),
        (store, gate, attempt) -> store.read(key, range, etag, sink));
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

  /** Hedges a part if its hedge has a number of its own, or if the store's uploads survive cuts. */
  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    boolean isSafe = numbers.areSpared() || inner.traits().uploadsSurviveCuts();
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
    // If each attempt has a number of its own, no other attempt can replace the part.
    boolean isCertain = numbers.areSpared() || isCertain(race, part.etag(), body);
    return isCertain ? part : inner.uploadPart(upload, numbers.first(), body);
  }

  /**
   * Hedges as {@link DoubledComplete} describes. If the store's uploads survive cuts, there is no
   * hedge: deadlines have the same effect at a lower cost.
   */
  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    if (!config.enabled()
        || inner.traits().uploadsSurviveCuts()
        || !condition.equals(Condition.NONE)) {
      return inner.completeUpload(pending, condition);
    }
    return new DoubledComplete(pending).in(track, decider);
  }

  private boolean hedgesWrites() {
    return config.enabled() && writesToo;
  }

  /**
   * Returns true if the ETag is certainly the one that the store has now. If ETags are made of the
   * content, two attempts with the same bytes get the same ETag. With KMS or customer keys they
   * differ. Then only a write without a second attempt has a certain ETag, so from then on writes
   * are not hedged.
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
