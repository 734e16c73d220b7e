/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.Optional;

/**
 * The facts that the user tells and logs may not.
 *
 * @param cores of the job, all executors together
 * @param own a part of the role, requester or user agent by which the job is known among others
 * @param app the id of the application to advise, where the logs hold several
 * @param client whose settings to recommend
 */
public record AdviceOptions(
    Optional<Integer> cores,
    Optional<String> own,
    Optional<String> app,
    Optional<Version> hadoop,
    Optional<Client> client,
    Prices prices) {

  public static AdviceOptions none() {
    return new AdviceOptions(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Prices.usEast1());
  }
}
