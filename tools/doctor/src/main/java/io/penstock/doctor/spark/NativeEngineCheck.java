/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.spark.NativeReaders;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/** Says who reads and who writes where a native engine is beside Penstock. */
public record NativeEngineCheck(Job job) implements Check {
  @Override
  public String name() {
    return "native engine";
  }

  @Override
  public List<CheckOutcome> look() {
    return job.hasPlugin()
        ? NativeReaders.description(job.given()::get).stream()
            .map(who -> CheckOutcome.pass(name(), who))
            .toList()
        : List.of();
  }
}
