/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.GroupId;
import io.penstock.core.rate.Lease;
import io.penstock.core.rate.RateReport;
import java.util.Map;

/** Sends a process's reports to the driver and returns its leases. */
@FunctionalInterface
interface RateExchange {
  /**
   * Exchanges reports for leases. May take long, so only a thread that no other thread waits for
   * may call it.
   *
   * @throws Exception when the driver did not answer; it may have received the reports nevertheless
   */
  Map<GroupId, Lease> exchange(Map<GroupId, RateReport> reports) throws Exception;
}
