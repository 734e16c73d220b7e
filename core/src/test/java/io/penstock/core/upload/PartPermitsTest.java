/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.upload.PartPermits.Permit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PartPermitsTest {
  private final Semaphore spare = new Semaphore(3);
  private boolean gainsByMore = true;
  private final PartPermits first = new PartPermits(2, spare, () -> gainsByMore);
  private final PartPermits second = new PartPermits(2, spare, () -> gainsByMore);

  private static List<Permit> take(PartPermits permits, int count) throws Exception {
    List<Permit> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(permits.acquire());
    }
    return taken;
  }

  /** Only a wait notices that the thread is interrupted. */
  private static void requireWait(PartPermits permits) {
    Thread.currentThread().interrupt();
    assertThatThrownBy(permits::acquire).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void anObjectThatIsWrittenAloneGetsAllSparePermits() throws Exception {
    take(first, 5);
    assertThat(spare.availablePermits()).isZero();
    requireWait(first);
  }

  @Test
  void anObjectAlwaysHasItsOwn() throws Exception {
    take(first, 5);
    take(second, 2);
    requireWait(second);
  }

  @Test
  void whereMorePartsAtOnceGainNothingAnObjectGetsOnlyItsOwn() throws Exception {
    take(first, 3);
    gainsByMore = false;
    requireWait(first);
    assertThat(spare.availablePermits()).isEqualTo(2);
    gainsByMore = true;
    take(first, 2);
  }

  @Test
  void aPermitGoesBackWhereItCameFrom() throws Exception {
    List<Permit> taken = take(first, 5);
    taken.forEach(Permit::release);
    assertThat(spare.availablePermits()).isEqualTo(3);
    take(second, 5);
    take(first, 2);
    requireWait(first);
  }

  @Test
  void whoWaitsGetsAPermitThatIsGivenBack() throws Exception {
    List<Permit> taken = take(first, 5);
    CompletableFuture<Permit> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return first.acquire();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    taken.get(4).release(); // a spare one
    waiting.get(30, TimeUnit.SECONDS).release();
    assertThat(spare.availablePermits()).isEqualTo(1);
  }
}
