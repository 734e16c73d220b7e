/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.Optional;

/**
 * The facts that the user gives because logs may not have them.
 *
 * @param cores the cores of the job, over all executors
 * @param own a part of the role, requester or user agent that identifies the job's own requests
 * @param app the id of the application to advise on, if the logs hold several
 * @param client the client whose settings are recommended
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

  public AdviceOptions withPrices(Prices other) {
    return new AdviceOptions(cores, own, app, hadoop, client, other);
  }
}
