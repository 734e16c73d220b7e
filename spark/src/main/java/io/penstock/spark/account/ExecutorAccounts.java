/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.core.metrics.account.RequestAccount;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.spark.account.AccountMessages.Told;
import io.penstock.spark.heartbeat.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the driver for what this executor has made requests since it last asked. */
public final class ExecutorAccounts implements Section {
  /** The name of the section in which executors tell for what they make requests. */
  static final String ACCOUNTS = "accounts";

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorAccounts.class);

  /** Sums that could not be told for long lose their names, so that the message stays small. */
  private static final int NAMES_MAX = 4_000;

  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final RequestAccounts accounts;
  private RequestAccount untold = RequestAccount.NONE;
  private long number;

  /**
   * @param accounts opened here; nobody else must take from them
   */
  public ExecutorAccounts(RequestAccounts accounts) {
    this.accounts = accounts;
    accounts.open();
  }

  @Override
  public String name() {
    return ACCOUNTS;
  }

  @Override
  public Duration period() {
    return PERIOD;
  }

  @Override
  public synchronized Optional<byte[]> question() throws IOException {
    untold = untold.plus(accounts.take()).within(NAMES_MAX);
    return untold.isEmpty()
        ? Optional.empty()
        : Optional.of(AccountMessages.toBytes(new Told(number, untold)));
  }

  @Override
  public boolean tellsLast() {
    return true;
  }

  @Override
  public synchronized void answered(byte[] answer) {
    untold = RequestAccount.NONE;
    number++;
  }

  /** Keeps what was not told, or may not have arrived, for the next message of the same number. */
  @Override
  public void failed(Exception why) {
    LOG.debug("this executor could not report its requests to the driver: {}", why.toString());
  }
}
