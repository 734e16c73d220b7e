/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/** Says how to look whether the bucket keeps a log of its requests, which no data request tells. */
public record LoggingCheck(String bucket) implements Check {
  @Override
  public String name() {
    return "access log";
  }

  @Override
  public List<CheckOutcome> look() {
    return List.of(
        CheckOutcome.skipped(
            name(),
            "whether requests are logged takes another permission to see",
            "Look with: aws s3api get-bucket-logging --bucket "
                + bucket
                + ". penstock analyze reads that log; without one, set penstock.request.log.dir"
                + " for the job."));
  }
}
