/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Checks that S3A's timeouts have the intended effect (rule R6). */
public record TimeoutCheck(Job job) implements Check {
  private static final String REQUEST = "fs.s3a.connection.request.timeout";
  private static final String PART = "fs.s3a.connection.part.upload.timeout";

  /**
   * The shortest timeout of S3A in Hadoop 3.4. A shorter value is raised, with only a line in S3A's
   * log.
   */
  private static final long LEAST_MILLIS = 15_000;

  /**
   * The slowest rate that a timeout must allow for: 5 MiB/s, as on a busy node. Two seconds are
   * added to the result.
   */
  private static final double SLOW_BYTES_PER_MILLI = 5 * 1048.576;

  @Override
  public String name() {
    return "S3A timeouts";
  }

  @Override
  public List<CheckOutcome> look() {
    if (job.usesPenstock()) {
      return List.of(
          CheckOutcome.pass(
              name(),
              "S3A is not used. Penstock sets its own deadlines from measured latencies"
                  + (job.given().get(REQUEST).isPresent()
                      ? "; none is longer than %s=%s (for uploads, one second more per MiB)"
                          .formatted(REQUEST, job.effective(REQUEST))
                      : "")));
    }
    List<CheckOutcome> outcomes = new ArrayList<>();
    request(outcomes);
    part(outcomes);
    if (outcomes.isEmpty()) {
      outcomes.add(
          CheckOutcome.pass(
              name(),
              "requests %s, parts %s"
                  .formatted(shown(job.effective(REQUEST)), shown(job.effective(PART)))));
    }
    return outcomes;
  }

  private static String shown(String value) {
    return value.isEmpty() ? "as requests" : value.equals("0") ? "without limit" : value;
  }

  private void request(List<CheckOutcome> outcomes) {
    OptionalLong millis = Quantity.millis(job.effective(REQUEST));
    boolean isSet = job.given().get(REQUEST).isPresent();
    if (job.hadoop().isBefore(3, 4, 0)) {
      if (millis.isEmpty() || millis.getAsLong() == 0) {
        outcomes.add(
            CheckOutcome.warn(
                name(),
                "requests have no timeout: it is off in Hadoop %s".formatted(job.hadoop()),
                "Set " + REQUEST + "=30s; this is long enough for parts of 64 MiB."));
      }
      return;
    }
    if (isSet && millis.isPresent() && millis.getAsLong() < LEAST_MILLIS) {
      outcomes.add(
          CheckOutcome.warn(
              name(),
              "%s=%s: S3A raises this to 15 s".formatted(REQUEST, job.effective(REQUEST)),
              "Set it to 15s, the value that S3A uses anyway. Penstock ends slow requests"
                  + " sooner."));
    }
    if (isSet && job.given().get(PART).isEmpty() && !job.hadoop().isBefore(3, 4, 1)) {
      outcomes.add(
          CheckOutcome.warn(
              name(),
              "%s does not apply to uploads since Hadoop 3.4.1, so the upload of a part may take %s"
                  .formatted(REQUEST, job.effective(PART)),
              "Set " + PART + " too."));
    }
  }

  private void part(List<CheckOutcome> outcomes) {
    OptionalLong millis = Quantity.millis(job.given().get(PART).orElse(""));
    OptionalLong size = Quantity.bytes(job.effective("fs.s3a.multipart.size"));
    if (millis.isEmpty() || size.isEmpty()) {
      return;
    }
    long neededMillis = (long) (size.getAsLong() / SLOW_BYTES_PER_MILLI) + 2_000;
    if (millis.getAsLong() < neededMillis) {
      outcomes.add(
          CheckOutcome.warn(
              name(),
              "%s=%s, but a part of %,d MiB takes %d s at 5 MiB/s"
                  .formatted(
                      PART, job.effective(PART), size.getAsLong() >> 20, neededMillis / 1000),
              "Set it to %ds, or lower fs.s3a.multipart.size.".formatted(neededMillis / 1000)));
    }
  }
}
