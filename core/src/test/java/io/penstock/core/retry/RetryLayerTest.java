/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static io.penstock.core.retry.Fixture.CONFIG;
import static io.penstock.core.retry.Fixture.OURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.request.Repeat;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.sending.LostCreations;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The requests that are repeated, and the time between their attempts. */
class RetryLayerTest {
  private final Fixture s3 = new Fixture();

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      return LayeredStores.retrying(
          new InMemoryStore("lake", s3.time), CONFIG, s3.time, new SplittableRandom(7));
    }
  }

  @Test
  void aThrottledRequestIsRepeatedUntilItGoesWell() throws IOException {
    s3.faulty
        .failBefore(Operation.PUT, 1, Kind.THROTTLED)
        .failBefore(Operation.PUT, 2, Kind.THROTTLED);

    s3.store.put("a", Body.ofBytes(OURS), Condition.NONE);

    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.PUT, 3));
    assertThat(s3.bytesOf("a")).isEqualTo(OURS);
    // 250 to 500 ms, then 500 to 1,000 ms.
    assertThat(Duration.ofNanos(s3.time.nowNanos()))
        .isBetween(Duration.ofMillis(750), Duration.ofMillis(1500));
  }

  @Test
  void whatWillFailAgainIsNotRepeated() {
    s3.faulty.failAlways(Operation.HEAD, Kind.ACCESS_DENIED);

    assertThatThrownBy(() -> s3.store.head("a"))
        .hasMessage("HEAD s3://lake/a: scripted ACCESS_DENIED.");

    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 1));
    assertThat(s3.time.nowNanos()).isZero();
  }

  @Test
  void aFailureThatIsNotTheStoresIsNotRepeated() {
    Body broken =
        new Body() {
          @Override
          public long sizeBytes() {
            return 3;
          }

          @Override
          public java.io.InputStream open() throws IOException {
            throw new IOException("the disk is gone");
          }
        };
    assertThatThrownBy(() -> s3.store.put("a", broken, Condition.NONE))
        .hasMessage("the disk is gone");
    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.PUT, 1));
  }

  @Test
  void aFirstLostConnectionIsRepeatedAtOnce() throws IOException {
    s3.bare.put("a", Body.ofBytes(OURS), Condition.NONE);
    s3.faulty.failBefore(Operation.HEAD, 1, Kind.CONNECTION_LOST);

    s3.store.head("a");

    assertThat(s3.time.nowNanos()).isZero();
    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 2));
  }

  @Test
  void aPartIsRepeatedUnderAnotherNumber() throws IOException {
    Upload upload = s3.bare.createUpload("a");
    s3.faulty.failBefore(Operation.UPLOAD_PART, 1, Kind.CONNECTION_LOST);
    Part repeated = s3.store.uploadPart(upload, PartNumbering.SPACED.of(1), Body.ofBytes(OURS));
    Part once = s3.store.uploadPart(upload, PartNumbering.SPACED.of(2), Body.ofBytes(OURS));
    assertThat(repeated.number()).isEqualTo(13);
    assertThat(once.number()).isEqualTo(17);
  }

  @Test
  void aPacedRequestIsThrottledManyTimesAndStillHasAllItsAttemptsToFail() throws IOException {
    s3.bare.put("a", Body.ofBytes(OURS), Condition.NONE);
    for (int number = 1; number <= 19; number++) {
      s3.faulty.failBefore(Operation.HEAD, number, Kind.THROTTLED);
    }
    for (int number = 20; number <= 23; number++) {
      s3.faulty.failBefore(Operation.HEAD, number, Kind.CONNECTION_LOST);
    }
    StoreMetrics metrics = new StoreMetrics();
    LayeredStore paced =
        LayeredStores.retrying(
            s3.faulty,
            LayeredStores.advising(Repeat.SHORTLY),
            CONFIG,
            EndpointHealth.alone(),
            LostCreations.NONE,
            s3.time,
            new SplittableRandom(7),
            metrics);

    paced.head("a");

    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 24));
    // 1.6 to 3.2 s for the first six, 1 to 2 s for each of thirteen, and what the failures waited.
    StoreMetrics.Retries retries = metrics.retries().get(Operation.HEAD);
    assertThat(retries).isEqualTo(new StoreMetrics.Retries(4, 19, s3.time.nowNanos()));
    assertThat(Duration.ofNanos(s3.time.nowNanos()))
        .isBetween(Duration.ofSeconds(14), Duration.ofSeconds(34));
  }

  @Test
  void theStoreIsLeftAloneForAsLongAsItAsks() throws IOException {
    s3.bare.put("a", Body.ofBytes(OURS), Condition.NONE);
    AtomicInteger requests = new AtomicInteger();
    ObjectStore busy =
        new StoreWrapper(s3.bare) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (requests.incrementAndGet() == 1) {
              throw StoreException.of(Kind.THROTTLED, operation, key, "busy")
                  .retryAfter(Duration.ofSeconds(5));
            }
            return call.run();
          }
        };

    s3.retrying(busy).head("a");

    assertThat(Duration.ofNanos(s3.time.nowNanos())).isEqualTo(Duration.ofSeconds(5));
  }
}
