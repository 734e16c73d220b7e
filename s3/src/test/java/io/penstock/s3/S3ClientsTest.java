/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.time.VirtualTime;
import io.penstock.s3.S3Clients.ClientKey;
import io.penstock.s3.S3Clients.Lease;
import io.penstock.s3.S3Clients.Opened;
import io.penstock.s3.settings.S3Options;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

class S3ClientsTest {
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final List<FakeClient> built = new ArrayList<>();
  private final S3Clients clients = new S3Clients(time, this::build);

  private static final class FakeClient implements S3Client {
    private boolean closed;

    @Override
    public String serviceName() {
      return "s3";
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private Opened build(ClientKey key) {
    FakeClient client = new FakeClient();
    built.add(client);
    return new Opened(client, key.credentials().open());
  }

  @Test
  void equalKeysShareAClient() {
    try (Lease first = clients.lease(key("eu-west-1"));
        Lease second = clients.lease(key("eu-west-1"));
        Lease other = clients.lease(key("eu-west-2"))) {
      assertThat(first.client()).isSameAs(second.client()).isNotSameAs(other.client());
      assertThat(built).hasSize(2);
    }
  }

  @Test
  void aClientOutlivesItsUserForAMinute() {
    clients.lease(key("eu-west-1")).close();
    time.advance(Duration.ofSeconds(59));
    clients.lease(key("eu-west-1")).close();
    assertThat(built).hasSize(1);

    time.advance(Duration.ofSeconds(61));
    clients.lease(key("eu-west-2")).close();
    assertThat(built.get(0).closed).isTrue();
    assertThat(built.get(1).closed).isFalse();
  }

  @Test
  void aClientInUseIsNeverClosed() {
    try (Lease used = clients.lease(key("eu-west-1"))) {
      Lease twice = clients.lease(key("eu-west-1"));
      twice.close();
      twice.close();
      time.advance(Duration.ofHours(1));
      clients.lease(key("eu-west-2")).close();
      assertThat(built.get(0).closed).isFalse();
      assertThat(used.client()).isSameAs(built.get(0));
    }
  }

  private static ClientKey key(String region) {
    S3Options options =
        S3Options.from(
            "lake", Settings.of(Map.of("penstock.credentials", "anonymous")), name -> null);
    return new ClientKey(options.endpoint(), region, options.credentials(), options.http());
  }
}
