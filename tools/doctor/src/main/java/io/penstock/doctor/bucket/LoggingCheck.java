/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/**
 * Explains how to find out if the bucket's access log is enabled. Data requests do not show this.
 */
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
            "not checked, because the check needs a permission that jobs do not need",
            "To check: aws s3api get-bucket-logging --bucket "
                + bucket
                + ". 'penstock analyze' reads the access log. If the bucket has no access log, set"
                + " penstock.request.log.dir for the job."));
  }
}
