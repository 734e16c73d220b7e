/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.GroupId;
import io.penstock.core.rate.Lease;
import io.penstock.core.rate.RateReport;
import java.util.Map;

/** Hands a process's reports to the driver and brings back its leases. */
@FunctionalInterface
interface RateExchange {
  /**
   * May take long: only a thread that nobody waits for calls it.
   *
   * @throws Exception when the driver did not answer; the reports may have reached it all the same
   */
  Map<GroupId, Lease> exchange(Map<GroupId, RateReport> reports) throws Exception;
}
