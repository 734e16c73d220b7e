/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/**
 * List prices in dollars. Users can replace them with their own prices.
 *
 * @param write one PUT, COPY, POST or LIST
 * @param read one GET or HEAD
 * @param trail one data event of CloudTrail
 * @param efsStored one GB stored in EFS for a month
 * @param efsRead one GB read from EFS in elastic mode
 * @param efsWritten one GB written to EFS in elastic mode
 * @param efsProvisioned one MiB/s of EFS in provisioned mode for a month
 * @param coreHour one core for an hour
 */
public record Prices(
    double write,
    double read,
    double trail,
    double efsStored,
    double efsRead,
    double efsWritten,
    double efsProvisioned,
    double coreHour) {
  public Prices {
    for (double price :
        new double[] {
          write, read, trail, efsStored, efsRead, efsWritten, efsProvisioned, coreHour
        }) {
      if (!(price >= 0)) {
        throw new IllegalArgumentException("a price must not be negative, got " + price);
      }
    }
  }

  /**
   * Returns the prices of S3 Standard, CloudTrail and EFS in us-east-1. S3: $0.005 for 1,000 writes
   * and $0.0004 for 1,000 reads; CloudTrail: $0.10 for 100,000 data events; EFS: $0.30 a GB-month,
   * $0.03 for a GB read and $0.06 for a GB written, about $6 a MiB/s-month; a core: $0.05 an hour,
   * about what general-purpose machines of EC2 cost on demand. Sources: the price pages of S3,
   * CloudTrail, EFS and EC2.
   */
  public static Prices usEast1() {
    return new Prices(5e-6, 4e-7, 1e-6, 0.30, 0.03, 0.06, 6, 0.05);
  }

  /** Returns these prices with another price of a core. */
  public Prices withCoreHour(double dollars) {
    return new Prices(write, read, trail, efsStored, efsRead, efsWritten, efsProvisioned, dollars);
  }
}
