/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.lease.Leases.Lease;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeaseThreadTest {
  @Test
  void aLeaseIsRenewedAgainAndAgainAlsoAfterAFailure() throws InterruptedException {
    CountDownLatch three = new CountDownLatch(3);
    Lease lease =
        LeaseThread.start(
            () -> {
              three.countDown();
              throw new IOException("the store is away");
            },
            Duration.ofMillis(1));
    assertThat(three.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(lease.end()).isTrue();
  }

  @Test
  void aLeaseThatEndsBeforeItsFirstRenewalHasWrittenNothing() {
    AtomicInteger renewals = new AtomicInteger();
    Lease lease = LeaseThread.start(renewals::incrementAndGet, Duration.ofHours(1));
    assertThat(lease.end()).isFalse();
    assertThat(renewals).hasValue(0);
  }

  @Test
  void theEndOfALeaseCutsARenewalThatWaitsForAStoreThatIsAway() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Lease lease =
        LeaseThread.start(
            () -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                throw new InterruptedIOException("cut");
              }
            },
            Duration.ofMillis(1));
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(lease.end()).isTrue();
  }
}
