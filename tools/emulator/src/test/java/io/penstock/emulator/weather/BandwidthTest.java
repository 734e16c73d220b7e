/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.Time;
import io.penstock.core.time.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BandwidthTest {
  @Test
  void bytesTakeTheirTimeEachWay() throws IOException {
    VirtualTime time = new VirtualTime(Instant.EPOCH);
    Bandwidth bandwidth = new Bandwidth(1_000_000, time);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();

    bandwidth.out(sent).write(new byte[500_000]);
    assertThat(time.nowNanos()).isEqualTo(500_000_000);
    byte[] read = bandwidth.in(new ByteArrayInputStream(new byte[250_000])).readAllBytes();

    assertThat(time.nowNanos()).isBetween(749_999_000L, 750_000_000L);
    assertThat(sent.size()).isEqualTo(500_000);
    assertThat(read).hasSize(250_000);
  }

  /** Every sleep ends a millisecond late, as on a real machine. */
  @Test
  void lateSleepsDoNotSlowATransferDown() throws IOException {
    VirtualTime time = new VirtualTime(Instant.EPOCH);
    Bandwidth bandwidth = new Bandwidth(60_000_000, new LateTime(time));

    bandwidth.out(OutputStream.nullOutputStream()).write(new byte[6_000_000]);

    assertThat(time.nowNanos()).isBetween(99_000_000L, 102_000_000L);
  }

  @Test
  void aPauseIsNotMadeUpFor() throws IOException {
    VirtualTime time = new VirtualTime(Instant.EPOCH);
    OutputStream out = new Bandwidth(1_000_000, time).out(OutputStream.nullOutputStream());

    out.write(new byte[100_000]);
    time.advance(Duration.ofSeconds(10));
    out.write(new byte[100_000]);

    assertThat(time.nowNanos()).isEqualTo(10_200_000_000L);
  }

  private record LateTime(VirtualTime time) implements Time {
    @Override
    public long nowNanos() {
      return time.nowNanos();
    }

    @Override
    public Instant now() {
      return time.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      time.sleep(duration.plusMillis(1));
    }
  }
}
