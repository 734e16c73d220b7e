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
 * An executor's part in the coordination: tells what it saw and follows what it is allowed.
 * Whatever goes wrong costs only the lease, which ends by itself; then the process decides alone.
 */
final class RateParticipant {
  private static final Logger LOG = LoggerFactory.getLogger(RateParticipant.class);

  private final RateControl control;
  private final RateExchange exchange;
  private final Time time;
  private final Duration lease;
  private boolean isAlone;

  /**
   * @param lease how long an answer is good
   */
  RateParticipant(RateControl control, RateExchange exchange, Time time, Duration lease) {
    this.control = control;
    this.exchange = exchange;
    this.time = time;
    this.lease = lease;
  }

  /** One report and its answer; nothing while there is nothing to tell. */
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
        // What was seen meanwhile would look to the driver like a burst of the last half second.
        control.report(time.nowNanos());
        alone("the driver took " + took.toMillis() + " ms to answer");
        return;
      }
      // From when it was asked: the driver counts this process by what it knew then.
      control.follow(leases, asked);
      together();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | LinkageError e) {
      // A few lost reports are nothing; a process that waited long for one starts afresh, as above.
      if (time.nowNanos() - asked >= lease.toNanos()) {
        control.report(time.nowNanos());
      }
      alone(e.toString());
    }
  }

  /** Once an episode, not twice a second. */
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
