/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.analyze.advice.Prices;
import picocli.CommandLine.Option;

/** The option for the price of the machines on which a job runs. */
public final class PriceOptions {
  @Option(
      names = "--core-hour",
      paramLabel = "DOLLARS",
      defaultValue = "0.05",
      description =
          "Price of one core for one hour, for calculating what waiting for S3 costs. Default:"
              + " ${DEFAULT-VALUE}.")
  private double coreHour;

  /**
   * Returns the list prices of S3 with this price of a core.
   *
   * @throws IllegalArgumentException when the price is negative
   */
  public Prices prices() {
    if (!(coreHour >= 0)) {
      throw new IllegalArgumentException("--core-hour must not be negative, got " + coreHour);
    }
    return Prices.usEast1().withCoreHour(coreHour);
  }
}
