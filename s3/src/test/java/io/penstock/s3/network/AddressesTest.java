/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.VirtualTime;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AddressesTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private final Addresses addresses =
      new Addresses(
          host -> List.of(HERE),
          Duration.ofSeconds(30),
          new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")),
          Runnable::run);

  @Test
  void tenThousandHostsOfBucketsLeaveAThousand() {
    Addresses.Place first = place("b.s3.example.com");
    for (int bucket = 0; bucket < 10_000; bucket++) {
      place("b" + bucket + ".s3.example.com").ended(AddressBook.Outcome.WELL);
    }
    assertThat(addresses.size()).isEqualTo(1_000);
    first.ended(AddressBook.Outcome.WELL);
    assertThat(place("b.s3.example.com").address()).isEqualTo(HERE);
  }

  private Addresses.Place place(String host) {
    return addresses.choose(host, Set.of(), Optional.empty()).orElseThrow();
  }
}
