/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
}
