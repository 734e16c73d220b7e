/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.GroupId;
import io.penstock.core.rate.Lease;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.RateReport;
import io.penstock.core.time.Time;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's part in the coordination. Reports what the process saw and follows the allowed
 * rates. A failure costs only the lease, which ends by itself. Then the process decides alone.
 */
final class RateParticipant {
  private static final Logger LOG = LoggerFactory.getLogger(RateParticipant.class);

  private final RateControl control;
  private final RateExchange exchange;
  private final Time time;
  private final Duration lease;
  private boolean isAlone;

  /**
   * @param lease how long an answer is valid
   */
  RateParticipant(RateControl control, RateExchange exchange, Time time, Duration lease) {
    this.control = control;
    this.exchange = exchange;
    this.time = time;
    this.lease = lease;
  }

  /** Sends one report and applies the answer. Does nothing if there is nothing to report. */
  void round() throws InterruptedException {
    long asked = time.nowNanos();
    Map<GroupId, RateReport> reports = control.report(asked);
    if (reports.isEmpty()) {
      return;
    }
    try {
      Map<GroupId, Lease> leases = exchange.exchange(reports);
      Duration took = Duration.ofNanos(time.nowNanos() - asked);
      if (took.compareTo(lease) >= 0) {
        // Discards the counts of the wait. The driver would treat them as a burst of the last half
        // second.
        control.report(time.nowNanos());
        alone("the driver took " + took.toMillis() + " ms to answer");
        return;
      }
      // The lease starts at the time of the report, because the driver counts this process by that
      // report.
      control.follow(leases, asked);
      together();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | LinkageError e) {
      // A few lost reports do no harm. After a long wait the process discards its counts, as above.
      if (time.nowNanos() - asked >= lease.toNanos()) {
        control.report(time.nowNanos());
      }
      alone(e.toString());
    }
  }

  /** Logs once for each time without the driver, and not twice a second. */
  private void alone(String why) {
    if (!isAlone) {
      isAlone = true;
      LOG.info("No request rates from the driver, this process finds its own meanwhile: {}", why);
    }
  }

  private void together() {
    if (isAlone) {
      isAlone = false;
      LOG.info("The driver answers again and shares request rates out");
    }
  }
}
