/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  private static final long MS = 1_000_000;

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Watchdog watch = new Watchdog(time);
  private final List<Long> looks = new ArrayList<>();
  private final Watched watched = looks::add;

  private void tickAfter(long millis) {
    time.advance(Duration.ofMillis(millis));
    watch.tick(time.nowNanos());
  }

  @Test
  void looksAtWhatIsUnderWayAndNoLonger() {
    watch.add(watched);
    tickAfter(10);
    tickAfter(10);
    watch.remove(watched);
    tickAfter(10);
    assertThat(looks).containsExactly(10 * MS, 20 * MS);
  }

  @Test
  void itsClockStandsStillWhileTheProcessDoes() {
    watch.add(watched);
    tickAfter(10);
    tickAfter(5_010);
    tickAfter(10);
    assertThat(looks).containsExactly(10 * MS, 20 * MS, 30 * MS);
    assertThat(watch.nowNanos()).isEqualTo(30 * MS);
  }

  @Test
  void timeWithNothingUnderWayIsNoStandstill() {
    tickAfter(10);
    tickAfter(60_000);
    watch.add(watched);
    tickAfter(10);
    assertThat(looks).containsExactly(60_020 * MS);
  }

  @Test
  void oneThatFailsIsLeftAloneAndTheOthersAreLookedAt() {
    watch.add(
        now -> {
          looks.add(-1L);
          throw new IllegalStateException("scripted");
        });
    watch.add(watched);
    tickAfter(10);
    tickAfter(10);
    assertThat(looks).containsExactlyInAnyOrder(-1L, 10 * MS, 20 * MS);
  }

  @Test
  void aWatchWithAThreadLooksByItself() throws InterruptedException {
    Watchdog ticking = Watchdog.started(SystemTime.INSTANCE);
    CountDownLatch looked = new CountDownLatch(2);
    Watched counts = now -> looked.countDown();
    ticking.add(counts);
    assertThat(looked.await(60, TimeUnit.SECONDS)).isTrue();
    ticking.remove(counts);
    assertThat(ticking.nowNanos()).isLessThanOrEqualTo(SystemTime.INSTANCE.nowNanos());
  }
}
