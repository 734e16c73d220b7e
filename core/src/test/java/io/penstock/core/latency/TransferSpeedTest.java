/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransferSpeedTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;

  private TransferSpeed speed = TransferSpeed.ofReads();
  private long now = SECOND;

  /**
   * Reads with so many connections at once, each with these bytes.
   *
   * @param bytesASecond of one connection
   */
  private void read(int connections, long bytes, double bytesASecond) {
    List<TransferSpeed.Sample> samples = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      samples.add(speed.begin(now));
    }
    now += (long) ((0.03 + bytes / bytesASecond) * SECOND);
    samples.forEach(sample -> sample.end(bytes, now));
  }

  /** Reads ranges as the speed advises, from a store whose connections share a limit. */
  private int settled(long bytes, double aConnection, double allConnections) {
    int requests = 0;
    for (int i = 0; i < 40; i++) {
      requests = speed.requests(bytes, 64, now);
      read(requests, bytes / requests, Math.min(aConnection, allConnections / requests));
    }
    return requests;
  }

  @Test
  void aSmallRangeIsOneRequest() {
    assertThat(speed.requests(1, 64, now)).isEqualTo(1);
    assertThat(speed.requests(MIB, 64, now)).isEqualTo(1);
    assertThat(settled(MIB, 1e6, 1e9)).isEqualTo(1);
  }

  @Test
  void aLargeRangeIsSplitTheMoreTheSlowerAConnectionIs() {
    // The least of bytes / (n * speed) + 0.01 n is at n = sqrt(bytes / (0.01 * speed)).
    assertThat(settled(32 * MIB, 30e6, 1e12)).isBetween(9, 12);
    assertThat(settled(32 * MIB, 200e6, 1e12)).isBetween(3, 5);
    assertThat(settled(32 * MIB, 5e6, 1e12)).isEqualTo(16);
  }

  @Test
  void fewAreTriedWhereTheConnectionsShareTheLimit() {
    assertThat(settled(32 * MIB, 50e6, 50e6)).isLessThanOrEqualTo(3);
    speed = TransferSpeed.ofReads();
    assertThat(settled(32 * MIB, 50e6, 100e6)).isLessThanOrEqualTo(3);
  }

  @Test
  void aStoreThatBecomesFasterIsAskedForLargerRanges() {
    assertThat(settled(32 * MIB, 10e6, 1e12)).isEqualTo(16);
    assertThat(settled(32 * MIB, 200e6, 1e12)).isBetween(3, 6);
  }

  @Test
  void moreConnectionsThanEverAreTriedStepByStep() {
    List<Integer> tried = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int requests = speed.requests(512 * MIB, 64, now);
      tried.add(requests);
      read(requests, 512 * MIB / requests, 20e6);
    }
    assertThat(tried.get(0)).isEqualTo(3);
    assertThat(tried).isSorted().endsWith(16);
  }

  @Test
  void aReaderGoesDeeperOnlyWhereMoreArrives() {
    for (int i = 0; i < 10; i++) {
      read(1, 8 * MIB, 60e6);
      read(2, 8 * MIB, 60e6);
    }
    assertThat(speed.gainsByMore(now)).isTrue();
    for (int i = 0; i < 10; i++) {
      read(1, 8 * MIB, 60e6);
      read(2, 8 * MIB, 30e6);
    }
    TransferSpeed.Sample one = speed.begin(now);
    assertThat(speed.gainsByMore(now)).isFalse();
    one.end(0, now);
  }

  @Test
  void partsTryAnyNumberUntilItIsKnownThatMoreGainNothing() {
    assertThat(speed.mayGainByMore(now)).isTrue();
    assertThat(speed.gainsByMore(now)).isTrue();
    for (int i = 0; i < 4; i++) {
      read(1, 32 << 20, 100e6);
      read(2, 32 << 20, 50e6);
    }
    assertThat(speed.mayGainByMore(now)).as("of two instead of one is not asked").isTrue();
    TransferSpeed.Sample under = speed.begin(now);
    assertThat(speed.mayGainByMore(now)).isFalse();
    under.end(0, now);
  }

  @Test
  void oldMeasurementsAreForgotten() {
    assertThat(settled(32 * MIB, 10e6, 1e12)).isEqualTo(16);
    now += 61 * SECOND;
    assertThat(speed.requests(32 * MIB, 64, now)).isEqualTo(3);
  }

  @Test
  void nothingIsSplitWhileTheStoreThrottles() {
    assertThat(settled(32 * MIB, 10e6, 1e12)).isEqualTo(16);
    speed.throttled(now);
    assertThat(speed.requests(32 * MIB, 64, now)).isEqualTo(1);
    assertThat(speed.gainsByMore(now)).isFalse();
    now += 61 * SECOND;
    assertThat(speed.requests(32 * MIB, 64, now)).isGreaterThan(1);
  }

  @Test
  void noMoreRequestsAreMadeThanTheProcessSendsAtOnce() {
    for (int connections = 1; connections <= 40; connections++) {
      read(connections, 2 * MIB, 10e6);
      read(connections, 2 * MIB, 10e6);
    }
    List<TransferSpeed.Sample> others = new ArrayList<>();
    for (int i = 0; i < 62; i++) {
      others.add(speed.begin(now));
    }
    assertThat(speed.requests(32 * MIB, 1_000, now)).isGreaterThan(2);
    assertThat(speed.requests(32 * MIB, 64, now)).isEqualTo(2);
    assertThat(speed.requests(32 * MIB, 32, now)).isEqualTo(1);
    others.forEach(sample -> sample.end(0, now));
  }

  @Test
  void aStragglerDoesNotMakeTheStoreSlow() {
    for (int i = 0; i < 20; i++) {
      read(1, 8 * MIB, 200e6);
    }
    long before = speed.windowBytes(now);
    assertThat(before).isGreaterThan(30 * MIB);
    read(1, 8 * MIB, 1e6);
    assertThat(speed.windowBytes(now)).isGreaterThan(before / 2);
  }

  @Test
  void aRequestIsWorthTheBytesOfItsLatency() {
    for (int i = 0; i < 40; i++) {
      read(1, 8 * MIB, 60e6);
      speed.begin(now).end(1_000, now + SECOND / 50);
    }
    assertThat(speed.requestBytes(now)).isBetween(1_000_000L, 1_400_000L); // 20 ms, 60 MB/s
  }

  @Test
  void failedRequestsCountAsEnded() {
    for (int i = 0; i < 1_000; i++) {
      speed.begin(now).end(0, now + SECOND);
    }
    assertThat(speed.requests(32 * MIB, 64, now)).isBetween(2, 7);
  }
}
