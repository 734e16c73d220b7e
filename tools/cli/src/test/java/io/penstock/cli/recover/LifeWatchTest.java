/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.recover;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.DyingCommit;
import io.penstock.cli.store.StoreClock;
import io.penstock.core.commit.UnfinishedCommits;
import io.penstock.core.commit.UnfinishedCommits.Unfinished;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.Time;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifeWatchTest {
  /** The clock of the store. */
  private final VirtualTime storeTime = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));

  private final InMemoryStore store = new InMemoryStore("lake", storeTime);
  private final List<String> told = new ArrayList<>();

  /** The clock of a machine that is an hour ahead of the store. */
  private final Time machine =
      new Time() {
        @Override
        public long nowNanos() {
          return storeTime.nowNanos();
        }

        @Override
        public Instant now() {
          return storeTime.now().plus(Duration.ofHours(1));
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
          storeTime.sleep(duration);
        }
      };

  private final UnfinishedCommits commits =
      new UnfinishedCommits(
          new StoreAccess(bucket -> store, Runnable::run, machine, new UnansweredWrites(machine)),
          OutputTable.of("lake", "t"));

  @BeforeEach
  void die() throws IOException {
    DyingCommit dying = new DyingCommit(store, storeTime);
    dying.append("job-7", List.of(dying.upload("t/a", 2), dying.upload("t/b", 2)), 1);
  }

  private LifeWatch watch(Optional<Instant> now) {
    return new LifeWatch(commits, now, machine, told::add);
  }

  private Optional<Instant> now() throws IOException {
    return StoreClock.now(store, "t/");
  }

  private Unfinished found() throws IOException {
    return commits.find().get(0);
  }

  /** Lets the job write its intent again, as a live one does. */
  private void showLife() throws IOException {
    String intent = store.list(ListRequest.flat("t/_penstock_intent_")).objects().get(0).key();
    byte[] content = store.get(intent, new ByteRange(0, 1 << 20), Optional.empty()).bytes();
    store.put(intent, Body.ofBytes(content), Condition.NONE);
  }

  @Test
  void aLiveJobIsSeenByAMachineWhoseClockIsAnHourAhead() throws IOException {
    storeTime.after(Duration.ofSeconds(12), this::showLife);

    assertThat(watch(now()).isAlive(found())).isTrue();
    assertThat(Duration.ofNanos(storeTime.nowNanos())).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void aDeadJobIsWatchedForAMinute() throws IOException {
    storeTime.advance(Duration.ofMinutes(16));

    assertThat(watch(now()).isAlive(found())).isFalse();
    assertThat(Duration.ofNanos(storeTime.nowNanos())).isEqualTo(Duration.ofMinutes(17));
    assertThat(told).hasSize(12).startsWith("watching for 61 s whether job job-7 lives");
  }

  @Test
  void aJobThatIsSilentFor17MinutesByTheStoresClockIsNotWatched() throws IOException {
    storeTime.advance(Duration.ofMinutes(17).plusSeconds(1));

    LifeWatch watch = watch(now());
    assertThat(watch.silence(found())).contains(Duration.ofMinutes(17).plusSeconds(1));
    assertThat(watch.isAlive(found())).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void aJobIsAlwaysWatchedIfTheStoreDoesNotTellItsTime() throws IOException {
    storeTime.advance(Duration.ofDays(1));

    LifeWatch watch = watch(Optional.empty());
    assertThat(watch.silence(found())).isEmpty();
    assertThat(watch.isAlive(found())).isFalse();
    assertThat(told).hasSize(12);
  }

  @Test
  void aJobWhoseIntentIsGoneIsNotAlive() throws IOException {
    Unfinished commit = found();
    storeTime.after(
        Duration.ofSeconds(3),
        () -> {
          for (var object : store.list(ListRequest.flat("t/_penstock_intent_")).objects()) {
            store.delete(object.key());
          }
        });

    assertThat(watch(now()).isAlive(commit)).isFalse();
    assertThat(told).hasSize(1);
  }
}
