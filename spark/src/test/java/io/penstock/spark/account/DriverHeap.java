/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.metrics.account.RequestSums.End;
import io.penstock.core.store.Operation;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Lets the driver's sums grow as in an application that runs for months. {@link DriverHeapTest}
 * runs this in a JVM with a small heap.
 */
final class DriverHeap {
  private static final int EXECUTORS = 6_000;
  private static final int LIVING = 1_000;
  private static final int STAGES = 50;
  private static final int PATHS = 20;

  private DriverHeap() {}

  /** Prints the numbers of requests, stages, paths and executors that the driver knows of. */
  public static void main(String[] args) throws IOException {
    DriverAccounts driver = new DriverAccounts(new RequestAccounts());
    for (int number = 0; number < EXECUTORS; number++) {
      String name = Integer.toString(number);
      driver.executorAdded(name);
      RequestAccounts made = new RequestAccounts();
      ExecutorAccounts executor = new ExecutorAccounts(made);
      for (int i = 0; i < STAGES; i++) {
        request(made, number * STAGES + i, number * PATHS + i % PATHS);
      }
      driver.answer(name, executor.question().orElseThrow());
      if (number >= LIVING) {
        driver.executorRemoved(Integer.toString(number - LIVING));
      }
    }
    DriverAccounts.Sums sums = driver.sums();
    System.out.printf(
        "%d %d %d %d%n",
        driver.total().requests(),
        sums.total().works().size(),
        sums.total().paths().size(),
        sums.executors().size());
  }

  private static void request(RequestAccounts accounts, int stage, int path) {
    accounts.add(
        Client.PENSTOCK,
        Operation.GET,
        "lake",
        "warehouse/database/table-%d/part-0.parquet".formatted(path),
        new Origin(
            "app-1", OptionalLong.of(stage), Optional.of(new Origin.Task(stage, 0, 0, stage))),
        new Attempted(3_000_000, 0, 10, End.OK, false, false));
  }
}
