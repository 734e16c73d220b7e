/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.store.Reach;
import io.penstock.doctor.CheckOutcome;
import java.util.Optional;

/**
 * Checks that the bucket is in the region in which it is expected. S3 names the region even when it
 * refuses the request.
 */
final class Region {
  private static final String NAME = "region";

  private Region() {}

  static CheckOutcome judge(Reach reach, Greeting greeting) {
    Optional<String> real = greeting.region();
    if (real.isEmpty()) {
      return reach.isAws()
          ? CheckOutcome.skipped(
              NAME, "S3 did not return the bucket's region. Check the bucket's name.")
          : CheckOutcome.skipped(
              NAME,
              "the store does not return a region; requests are signed for " + reach.firstRegion());
    }
    if (real.get().equals(reach.firstRegion())) {
      return CheckOutcome.pass(NAME, real.get());
    }
    String said =
        "the bucket is in %s, but requests are signed for %s"
            .formatted(real.get(), reach.firstRegion());
    return reach.region().isPresent()
        ? CheckOutcome.fail(NAME, said, "Set penstock.region=" + real.get() + ".")
        : CheckOutcome.warn(
            NAME,
            said + ": each process needs one more request to find the region",
            "Set penstock.region=%s. If this machine is in another region, run the job in %s:"
                    .formatted(real.get(), real.get())
                + " transfer between regions is slow, and billed per GB.");
  }
}
