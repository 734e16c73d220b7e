/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.time.Time;
import io.penstock.spark.heartbeat.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's part in the coordination. Reports what the process saw and follows the allowed
 * rates. A failure costs only the lease, which ends by itself. Then the process decides alone.
 */
final class RateParticipant implements Section {
  private static final Logger LOG = LoggerFactory.getLogger(RateParticipant.class);

  private final RateControl control;
  private final Time time;
  private final Duration period;
  private final Duration lease;
  private final Runnable atEachRound;
  private long askedNanos;
  private boolean hasAsked;
  private boolean isAlone;

  /**
   * @param period the time between two reports
   * @param lease how long an answer is valid
   * @param atEachRound run at each report
   */
  RateParticipant(
      RateControl control, Time time, Duration period, Duration lease, Runnable atEachRound) {
    this.control = control;
    this.time = time;
    this.period = period;
    this.lease = lease;
    this.atEachRound = atEachRound;
  }

  @Override
  public String name() {
    return RateCoordinator.RATES;
  }

  @Override
  public Duration period() {
    return period;
  }

  /** Returns the report of what the process saw; empty if there is nothing to report. */
  @Override
  public Optional<byte[]> question() throws IOException {
    long now = time.nowNanos();
    // After a gap the counts of it would look like a burst, as below.
    if (hasAsked && now - askedNanos >= lease.toNanos()) {
      control.report(now);
    }
    hasAsked = true;
    askedNanos = now;
    Map<GroupId, RateReport> reports = control.report(now);
    atEachRound.run();
    return reports.isEmpty() ? Optional.empty() : Optional.of(RateMessages.reports(reports));
  }

  @Override
  public void answered(byte[] answer) throws IOException {
    Map<GroupId, Lease> leases = RateMessages.readLeases(answer);
    Duration took = Duration.ofNanos(time.nowNanos() - askedNanos);
    if (took.compareTo(lease) >= 0) {
      // Discards the counts of the wait. The driver would treat them as a burst of the last half
      // second.
      control.report(time.nowNanos());
      alone("the driver took " + took.toMillis() + " ms to answer");
      return;
    }
    // The lease starts at the time of the report, because the driver counts this process by that
    // report.
    control.follow(leases, askedNanos);
    together();
  }

  @Override
  public void failed(Exception why) {
    // A few lost reports do no harm. After a long wait the process discards its counts, as above.
    if (time.nowNanos() - askedNanos >= lease.toNanos()) {
      control.report(time.nowNanos());
    }
    alone(why.toString());
  }

  /** Logs once for each time without the driver, and not twice a second. */
  private void alone(String why) {
    if (!isAlone) {
      isAlone = true;
      LOG.info(
          "The driver assigns no request rates now; until it does, this process finds its own: {}",
          why);
    }
  }

  private void together() {
    if (isAlone) {
      isAlone = false;
      LOG.info("The driver is reachable again and assigns request rates");
    }
  }
}
