/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import io.penstock.analyze.advice.Prices;

/**
 * Computes what a checkpoint costs in a month of 30 days, on S3 and on EFS.
 *
 * @param batchesAMonth the number of micro-batches in a month
 * @param writesABatch PUTs, COPYs and LISTs of a batch
 * @param readsABatch GETs and HEADs of a batch
 * @param bytesABatch the bytes that a batch writes
 * @param storedBytes the bytes that stay stored
 */
public record CheckpointCost(
    double batchesAMonth,
    double writesABatch,
    double readsABatch,
    double bytesABatch,
    double storedBytes) {
  public static final double SECONDS_A_MONTH = 30 * 86_400;
  // EFS is billed by the GB of 10^9 bytes.
  private static final double GB = 1e9;

  /** Returns the dollars a month for the requests; storage is not included. */
  public double onS3(Prices prices) {
    return batchesAMonth * (writesABatch * prices.write() + readsABatch * prices.read());
  }

  /**
   * Returns the dollars a month for stored and written bytes in elastic mode; reads are not
   * included.
   */
  public double onElasticEfs(Prices prices) {
    double gb = batchesAMonth * bytesABatch / GB;
    return gb * prices.efsWritten() + storedBytes / GB * prices.efsStored();
  }

  /** Returns the average rate of writing in MiB/s. */
  public double mibASecond() {
    return batchesAMonth * bytesABatch / SECONDS_A_MONTH / (1 << 20);
  }
}
