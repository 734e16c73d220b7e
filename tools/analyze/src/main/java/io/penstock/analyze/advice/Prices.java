/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/**
 * List prices in dollars, to be replaced by one's own.
 *
 * @param write a PUT, COPY, POST or LIST
 * @param read a GET or HEAD
 * @param trail a data event of CloudTrail
 * @param efsStored a GB in EFS for a month
 * @param efsRead a GB read from EFS in its elastic mode
 * @param efsWritten a GB written to it
 * @param efsProvisioned a MiB/s of EFS's provisioned mode for a month
 */
public record Prices(
    double write,
    double read,
    double trail,
    double efsStored,
    double efsRead,
    double efsWritten,
    double efsProvisioned) {
  public Prices {
    for (double price :
        new double[] {write, read, trail, efsStored, efsRead, efsWritten, efsProvisioned}) {
      if (!(price >= 0)) {
        throw new IllegalArgumentException("a price must not be negative, got " + price);
      }
    }
  }

  /**
   * S3 Standard, CloudTrail and EFS in us-east-1. S3: $0.005 and $0.0004 a 1,000 requests;
   * CloudTrail: $0.10 a 100,000 data events; EFS: $0.30 a GB-month, $0.03 and $0.06 a GB, about $6
   * a MiB/s-month. Sources: the price pages of S3, CloudTrail and EFS.
   */
  public static Prices usEast1() {
    return new Prices(5e-6, 4e-7, 1e-6, 0.30, 0.03, 0.06, 6);
  }
}
