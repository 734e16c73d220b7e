/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.util.List;

/**
 * The settings of reads.
 *
 * @param rangeMinBytes smallest range of a random read
 * @param rangeFirstBytes range of the first request for an object that is read from the front
 * @param rangeMaxBytes largest range of a request that reads ahead
 * @param mergeGapBytes two wanted ranges with a smaller gap between them are fetched as one
 * @param mergeMaxBytes largest size of ranges that are fetched as one
 * @param memoryMaxBytes most heap for all reads of the process
 */
public record ReadConfig(
    long rangeMinBytes,
    long rangeFirstBytes,
    long rangeMaxBytes,
    long mergeGapBytes,
    long mergeMaxBytes,
    long memoryMaxBytes) {
  static final ConfigKey<Long> RANGE_MIN =
      ConfigKey.size("read.range.min")
          .defaultsTo("64K")
          .alsoReads("fs.s3a.readahead.range")
          .mustBe("1 byte to 64M", n -> n >= 1 && n <= 64 << 20)
          .doc(
              "Minimum number of bytes that a random read fetches. The first random read of a file"
                  + " fetches this many bytes from the file's end as its footer.");

  static final ConfigKey<Long> MEMORY_MAX =
      ConfigKey.size("read.buffer.memory.max")
          .defaultsTo("256M")
          .mustBe("at least 1M", n -> n >= 1 << 20)
          .doc(
              "Heap for all reads of a process, at most a quarter of the JVM's heap. When it is"
                  + " full, vectored reads wait for one another; all other reads go on beyond the"
                  + " limit, but fetch only read.range.min.");

  public static final List<ConfigKey<?>> KEYS = List.of(RANGE_MIN, MEMORY_MAX);

  /** Arrives in about the time that another request would take, at 30 MB/s and 40 ms. */
  private static final long RANGE_FIRST = 1 << 20;

  /** A fast connection gives as much in 0.2 s; a slower one is asked for less. */
  private static final long RANGE_MAX = 32 << 20;

  /** Skipping so many bytes takes less time than another request. */
  private static final long MERGE_GAP = 128 << 10;

  /** Larger ranges are better read by several connections; see docs/decisions/0015. */
  private static final long MERGE_MAX = 8 << 20;

  /**
   * Reads the settings; the memory is at most a quarter of the heap.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static ReadConfig from(Settings settings) {
    return new ReadConfig(
        settings.get(RANGE_MIN),
        RANGE_FIRST,
        RANGE_MAX,
        MERGE_GAP,
        MERGE_MAX,
        memoryMaxBytes(settings.get(MEMORY_MAX), Runtime.getRuntime().maxMemory()));
  }

  /**
   * Returns the most memory for reads: a quarter of the heap, or less if it is set. Another quarter
   * is for uploads, and half of the heap is left to the application.
   */
  static long memoryMaxBytes(long setBytes, long heapBytes) {
    return Math.min(setBytes, heapBytes / 4);
  }
}
