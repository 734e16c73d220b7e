/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class FifoGateTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 20_000;
  private static final int PARTITIONS = 3;

  private final FifoGates gates = new FifoGates();
  private final AtomicIntegerArray inside = new AtomicIntegerArray(PARTITIONS);
  private final AtomicIntegerArray most = new AtomicIntegerArray(PARTITIONS);

  @Test
  void onlyOneThreadIsThroughHoweverOftenTheQueueComesAndGoes() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Void>> done = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = thread;
      done.add(
          threads.submit(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  pass((first + round) % PARTITIONS);
                }
                return null;
              }));
    }
    threads.shutdown();
    for (Future<Void> each : done) {
      each.get(60, TimeUnit.SECONDS);
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      assertThat(most.get(partition)).as("partition %d", partition).isEqualTo(1);
    }
    assertThat(gates.size()).isZero();
  }

  private void pass(int partition) throws Exception {
    FifoGate gate = gates.at("p" + partition);
    try {
      gate.enter(false, 1_000_000, () -> {});
      most.accumulateAndGet(partition, inside.incrementAndGet(partition), Math::max);
      inside.decrementAndGet(partition);
    } finally {
      gate.leave();
    }
  }

  @Test
  void aGateIsFreeUntilSomebodyIsInIt() throws Exception {
    FifoGate gate = gates.at("p");
    assertThat(gate.isFree()).isTrue();
    gate.enter(false, 1, () -> {});
    assertThat(gate.isFree()).isFalse();
    assertThat(gates.at("p").isFree()).isFalse();
    assertThat(gates.at("q").isFree()).isTrue();
    gate.leave();
    assertThat(gate.isFree()).isTrue();
  }
}
