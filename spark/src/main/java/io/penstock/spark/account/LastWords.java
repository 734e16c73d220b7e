/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.spark.heartbeat.DriverSection;
import io.penstock.spark.heartbeat.ExecutorHeartbeat;

/** Learns which executors have sent their last message, in which this section is the last one. */
public record LastWords(DriverAccounts accounts) implements DriverSection {
  @Override
  public String name() {
    return ExecutorHeartbeat.LAST;
  }

  @Override
  public byte[] answer(String executor, byte[] question) {
    accounts.saidLast(executor);
    return question;
  }
}
