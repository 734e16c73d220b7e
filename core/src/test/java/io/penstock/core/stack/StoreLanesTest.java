/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.caller.Callers;
import io.penstock.core.config.Settings;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.pool.LanePool;
import io.penstock.core.pool.Parallel;
import io.penstock.core.rate.PacedStore;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.Time;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for one bucket's permits or retries holds nobody up who asks for something else. */
@Timeout(60)
class StoreLanesTest {
  private final StandingTime time = new StandingTime();
  private final RateControl control = new RateControl();
  private final LanePool pool = new LanePool(64, Duration.ofSeconds(30));
  private final StoreLanes lanes = new StoreLanes(pool, control, new Callers(), "busy", 100);
  private final ObjectStore busy = paced("busy");
  private final ObjectStore calm = paced("calm");
  private final List<CompletableFuture<String>> uploads = new ArrayList<>();

  /** A clock that stands: whoever sleeps wakes up when the test is over. */
  private static final class StandingTime implements Time {
    final CountDownLatch over = new CountDownLatch(1);

    @Override
    public long nowNanos() {
      return over.getCount() > 0 ? 0 : Duration.ofDays(1).toNanos();
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      over.await();
    }
  }

  private ObjectStore paced(String bucket) {
    return new PacedStore(
        new InMemoryStore(bucket, new VirtualTime(Instant.EPOCH)),
        control,
        RateConfig.defaults(),
        time,
        new StoreMetrics(),
        new RequestEvents());
  }

  @BeforeEach
  void fill() throws IOException {
    for (ObjectStore store : List.of(busy, calm)) {
      put(store, "slow/a");
      put(store, "fast/a");
    }
    // One permit in 17 minutes, but none is needed under fast/.
    List<Share> shares =
        List.of(
            new Share("", Share.Mode.PACED, 0.001),
            new Share("fast/", Share.Mode.OPEN, Double.POSITIVE_INFINITY));
    control.follow(
        Map.of(new GroupId("busy", Traffic.WRITE), new Lease(shares, 1, Double.POSITIVE_INFINITY)),
        0);
  }

  @AfterEach
  void letAllEnd() {
    time.over.countDown();
  }

  private static String put(ObjectStore store, String key) throws IOException {
    return store.put(key, Body.ofBytes(new byte[1]), Condition.NONE);
  }

  private void upload200(ObjectStore store) {
    for (int i = 0; i < 200; i++) {
      String key = "slow/" + i;
      uploads.add(Parallel.start(lanes.writes(store.bucket(), key), () -> put(store, key)));
    }
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T in(Executor lane, Parallel.Work<T> work) throws Exception {
    return Parallel.start(lane, work).get(30, SECONDS);
  }

  @Test
  void aReadOfAnotherBucketIsDoneWhile200UploadsWaitForPermits() throws Exception {
    upload200(busy);
    assertThat(in(lanes.reads("calm", "slow/a"), () -> calm.head("slow/a").sizeBytes()))
        .isEqualTo(1);
    assertThat(uploads.stream().filter(CompletableFuture::isDone).count()).isLessThanOrEqualTo(1);
  }

  @Test
  void aCommitMayUseThreeQuartersOfTheConnections() throws Exception {
    new StoreLanes(pool, control, new Callers(), "calm", 100).widen();
    CountDownLatch end = new CountDownLatch(1);
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Executor lane = lanes.writes("calm", "slow/" + i);
      all.add(CompletableFuture.supplyAsync(() -> awaited(end), lane));
    }
    assertThat(pool.threadsNow()).isEqualTo(75);
    end.countDown();
    for (CompletableFuture<Boolean> one : all) {
      assertThat(one.get(30, SECONDS)).isTrue();
    }
  }

  @Test
  void soIsAReadOfTheSameBucket() throws Exception {
    upload200(busy);
    assertThat(in(lanes.reads("busy", "slow/a"), () -> busy.head("slow/a").sizeBytes()))
        .isEqualTo(1);
  }

  @Test
  void soIsAnUploadToAnotherPartitionOfTheBucket() throws Exception {
    upload200(busy);
    assertThat(in(lanes.writes("busy", "fast/b"), () -> put(busy, "fast/b"))).isNotEmpty();
  }

  @Test
  void soAreTheDeletesOfAnotherPartition() throws Exception {
    upload200(busy);
    in(
        task -> new Thread(task).start(),
        () -> {
          Keys.deleteAll(busy, List.of("fast/a"), lanes);
          return null;
        });
    assertThat(Keys.under(busy, "fast/")).isEmpty();
  }

  @Test
  void soIsWorkOfManyKinds() throws Exception {
    upload200(busy);
    assertThat(in(lanes, () -> 7)).isEqualTo(7);
  }

  @Test
  void threadsAreFewWhileThousandsOfUploadsWait() throws Exception {
    for (int i = 0; i < 50; i++) {
      upload200(busy);
    }
    in(lanes.reads("calm", "slow/a"), () -> calm.head("slow/a"));
    assertThat(pool.threadsNow()).isLessThanOrEqualTo(4 * 64 + 16 * 2);
  }

  @Test
  void aReadOfAnotherBucketIsDoneWhile200UploadsWaitForTheirNextAttempt() throws Exception {
    FaultyStore throttled = new FaultyStore(busy).failAlways(Operation.PUT, Kind.THROTTLED);
    RetryConfig config = RetryConfig.from(Settings.of(Map.of()));
    upload200(LayeredStores.retrying(throttled, config, time, new SplittableRandom(1)));
    assertThat(in(lanes.reads("calm", "slow/a"), () -> calm.head("slow/a").sizeBytes()))
        .isEqualTo(1);
    assertThat(uploads).noneMatch(CompletableFuture::isDone);
  }
}
