/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.config.Settings;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.Request;
import io.penstock.core.request.RunningAttempt;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DeadlineLayerTest {
  private static final DeadlineConfig CONFIG =
      new DeadlineConfig(true, Duration.ofSeconds(10), Duration.ofSeconds(5));

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Watchdog watch = new Watchdog(time);
  private final LatencyModel model = new LatencyModel(0.98);
  private final HedgeMetrics metrics = new HedgeMetrics();
  private final SlowStore slow = new SlowStore(new InMemoryStore("lake", time), time, watch);
  private final DeadlineLayer layer = layer(new DeadlineDecider(CONFIG, model));
  private final LayeredStore store = LayeredStores.of(slow, layer);

  private LayeredStore around(ObjectStore inner) {
    return LayeredStores.of(inner, layer(new DeadlineDecider(CONFIG, model)));
  }

  private DeadlineLayer layer(DeadlineDecider decider) {
    return new DeadlineLayer(new ThreadEnd(), decider, model, watch, metrics);
  }

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      return around(new InMemoryStore("lake", time));
    }
  }

  @Test
  void anAttemptPastItsDeadlineIsCutAndSaysSo() {
    slow.takes(60_000);

    assertThatThrownBy(() -> store.head("a"))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST))
        .hasMessage("HEAD s3://lake/a: no answer arrived within the deadline of 10 s.")
        .hasRootCauseMessage("HEAD s3://lake/a: Socket closed.");

    assertThat(time.nowNanos()).isEqualTo(10_010_000_000L);
    assertThat(metrics.count()).isEqualTo(new HedgeMetrics.Count(0, 0, 0, 0, 1, 0));
  }

  @Test
  void aCeilingThatTheUserHasSetIsNeverExceededAndNamed() {
    DeadlineConfig config =
        DeadlineConfig.from(
            Settings.of(
                Map.of(
                    "fs.s3a.connection.request.timeout", "20s",
                    "fs.s3a.connection.part.upload.timeout", "30s",
                    "penstock.deadline.enabled", "false")));
    LayeredStore limited = LayeredStores.of(slow, layer(new DeadlineDecider(config, model)));
    for (int i = 0; i < 3; i++) { // Deadlines that are missed are stretched; ceilings are not.
      long start = time.nowNanos();
      slow.takes(60_000);
      assertThatThrownBy(() -> limited.head("a"))
          .hasMessage(
              "HEAD s3://lake/a: no answer arrived within the deadline of 20 s, set by"
                  + " fs.s3a.connection.request.timeout.");
      assertThat(time.nowNanos() - start).isBetween(20_000_000_000L, 20_300_000_000L);
    }
    long start = time.nowNanos();
    slow.takes(60_000);
    assertThatThrownBy(() -> limited.put("a", Body.ofBytes(new byte[1 << 20]), Condition.NONE))
        .hasMessageContaining("30 s, set by fs.s3a.connection.part.upload.timeout.");
    assertThat(time.nowNanos() - start).isBetween(30_000_000_000L, 30_300_000_000L);
  }

  @Test
  void theCeilingOfRequestsIsThatOfUploadsIfTheseHaveNone() {
    Settings settings = Settings.of(Map.of("penstock.attempt.timeout", "2s"));
    DeadlineDecider decider = new DeadlineDecider(DeadlineConfig.from(settings), model);
    assertThat(decider.deadlineNanos(Operation.UPLOAD_PART, 64 << 20)).isEqualTo(2_000_000_000L);
    assertThat(ofHadoop("20")).as("seconds in Hadoop 3.3").isEqualTo(Duration.ofSeconds(20));
    assertThat(ofHadoop("1800")).isEqualTo(Duration.ofMinutes(30));
    assertThat(ofHadoop("20000")).as("milliseconds in 3.4").isEqualTo(Duration.ofSeconds(20));
    assertThat(ofHadoop("20s")).isEqualTo(Duration.ofSeconds(20));
    assertThat(ofHadoop("5s")).as("S3A takes no less").isEqualTo(Duration.ofSeconds(15));
    assertThat(ofHadoop("500ms")).isEqualTo(Duration.ofSeconds(15));
    Settings tooShort = Settings.of(Map.of("penstock.attempt.timeout", "15"));
    assertThatThrownBy(() -> DeadlineConfig.from(tooShort))
        .hasMessageContaining("penstock.attempt.timeout=15 ms")
        .hasMessageContaining("at least 1s");
    Settings off = Settings.of(Map.of("fs.s3a.connection.request.timeout", "0"));
    assertThat(DeadlineConfig.from(off).ceiling()).isEmpty();
  }

  private static Duration ofHadoop(String text) {
    Settings settings = Settings.of(Map.of("fs.s3a.connection.request.timeout", text));
    return DeadlineConfig.from(settings).ceiling().orElseThrow().most();
  }

  @Test
  void s3asRequestTimeoutLeavesUploadsTimeForTheirContent() {
    Settings settings = Settings.of(Map.of("fs.s3a.connection.request.timeout", "20s"));
    DeadlineDecider decider = new DeadlineDecider(DeadlineConfig.from(settings), model);
    for (int cut = 0; cut < 20; cut++) {
      decider.cut(Operation.UPLOAD_PART, 128 << 20, cut, cut + 1);
      decider.cut(Operation.GET, 128 << 20, cut, cut + 1);
    }
    assertThat(decider.deadlineNanos(Operation.UPLOAD_PART, 128 << 20)).isEqualTo(148_000_000_000L);
    assertThat(decider.deadlineNanos(Operation.GET, 128 << 20)).isEqualTo(20_000_000_000L);
  }

  @Test
  void theDeadlineFollowsWhatIsLearned() throws IOException {
    for (int i = 0; i < 200; i++) {
      slow.takes(350);
      store.put("a", Body.empty(), Condition.NONE);
    }
    slow.takes(60_000);

    assertThatThrownBy(() -> store.put("a", Body.empty(), Condition.NONE))
        .hasMessageMatching("PUT s3://lake/a: no answer arrived within the deadline of 2.1 s.");
  }

  @Test
  void contentThatStopsMovingIsCutLongBeforeTheDeadline() {
    slow.movesFor(20_000, 600_000);

    assertThatThrownBy(() -> store.put("a", Body.ofBytes(new byte[100 << 20]), Condition.NONE))
        .hasMessageContaining("no byte moved for 5 s.");

    assertThat(time.nowNanos()).isEqualTo(25_010_000_000L);
    assertThat(metrics.count()).isEqualTo(new HedgeMetrics.Count(0, 0, 0, 0, 0, 1));
  }

  @Test
  void whileTheAnswerToAnUploadIsAwaitedNothingHasToMove() {
    Attempt attempt = new Attempt();
    Request<Part> part = Request.<Part>of(Operation.UPLOAD_PART, "lake", "a").withoutDeadline();
    AttemptTimer timer =
        new AttemptTimer(part, attempt, 0, new DeadlineDecider(CONFIG, model), metrics);
    attempt.moved(1_000);
    timer.look(1);
    attempt.sent();
    timer.look(3_600_000_000_000L);
    assertThat(attempt.cutBecause()).isEmpty();
  }

  @Test
  void aCopyHasNoDeadline() throws IOException {
    store.put("a", Body.empty(), Condition.NONE);
    slow.takes(300_000);
    store.copy("a", "b", Optional.empty());
    assertThat(metrics.count().deadlineCuts()).isZero();
  }

  private void completeSlowly(boolean surviveCuts) throws IOException {
    ObjectStore store =
        new StoreWrapper(slow) {
          @Override
          public StoreTraits traits() {
            return surviveCuts
                ? StoreTraits.AMAZON
                : StoreTraits.unknown(PartNumbering.CONSECUTIVE);
          }
        };
    LayeredStore deadlines = around(store);
    Upload upload = deadlines.createUpload("a");
    Part part = deadlines.uploadPart(upload, 1, Body.ofBytes(new byte[1]));
    slow.takes(60_000);
    deadlines.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
  }

  @Test
  void aCompletionIsCutOnlyOnAStoreThatLosesNothingByIt() throws IOException {
    completeSlowly(false);
    assertThat(metrics.count().deadlineCuts()).isZero();

    assertThatThrownBy(() -> completeSlowly(true))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST));
    assertThat(metrics.count().deadlineCuts()).isEqualTo(1);
  }

  @Test
  void theAttemptOfAnOuterLayerIsUsedAndItsCutGoesThroughAsItIs() {
    Attempt attempt = new Attempt();
    slow.takes(60_000);
    watch.add(now -> attempt.cut("another attempt of this request was faster"));

    assertThatThrownBy(() -> RunningAttempt.through(layer, attempt, own -> slow.head("a")))
        .hasMessage("HEAD s3://lake/a: Socket closed.");
    assertThat(attempt.isBegun()).isTrue();
  }

  @Test
  void anAttemptWhoseWorkIsCancelledAlreadyIsNotSent() throws IOException {
    Cancellation work = new Cancellation("the upload was aborted");
    work.run(
        () -> {
          work.cancel();
          return assertThatThrownBy(() -> store.head("a"))
              .hasMessage("HEAD s3://lake/a: the work that needed this request was cancelled.");
        });
    assertThat(slow.requests()).isZero();
  }

  @Test
  void anAttemptThatWasCutBeforehandIsNotSent() {
    Attempt attempt = new Attempt();
    attempt.cut("another attempt of this request was faster");

    assertThatThrownBy(() -> RunningAttempt.through(layer, attempt, own -> slow.head("a")))
        .hasMessage("HEAD s3://lake/a: another attempt of this request was faster.");
    assertThat(slow.requests()).isZero();
  }

  @Test
  void aMissingKeyIsAnAnswerAndAThrottleIsNone() {
    for (int i = 0; i < 16; i++) {
      slow.takes(50);
      assertThatThrownBy(() -> store.get("none", new ByteRange(0, 9), Optional.empty()))
          .isInstanceOf(StoreException.class);
      slow.fails(50, Kind.THROTTLED);
      assertThatThrownBy(() -> store.head("none")).isInstanceOf(StoreException.class);
    }
    assertThat(model.of(Operation.GET, 9).samples()).isEqualTo(16);
    assertThat(model.of(Operation.HEAD, 0).samples()).isZero();
  }
}
