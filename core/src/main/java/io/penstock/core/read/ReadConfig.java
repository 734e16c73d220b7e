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
              "Fewest bytes that a random read fetches; also the size of the footer that the"
                  + " first random read of a file fetches.");

  static final ConfigKey<Long> RANGE_FIRST =
      ConfigKey.size("read.range.first")
          .defaultsTo("1M")
          .mustBe("1 byte to 64M", n -> n >= 1 && n <= 64 << 20)
          .doc(
              "Bytes that the first request of a sequential read fetches; each later request"
                  + " fetches twice as many, up to read.range.max.");

  static final ConfigKey<Long> RANGE_MAX =
      ConfigKey.size("read.range.max")
          .defaultsTo("32M")
          .mustBe("64K to 64M", n -> n >= 64 << 10 && n <= 64 << 20)
          .doc(
              "Upper limit of one read-ahead request. Its usual size is 8 MiB, or what a connection"
                  + " gives in 0.2 s if that is more. A file has up to 17 of them at once, if"
                  + " read.buffer.memory.max has room.");

  static final ConfigKey<Long> MERGE_GAP =
      ConfigKey.size("read.merge.gap")
          .defaultsTo("128K")
          .alsoReads("fs.s3a.vectored.read.min.seek.size")
          .doc(
              "Two ranges of a vectored read become one request if the gap between them is"
                  + " smaller than this.");

  static final ConfigKey<Long> MERGE_MAX =
      ConfigKey.size("read.merge.max")
          .defaultsTo("8M")
          .alsoReads("fs.s3a.vectored.read.max.merged.size")
          .doc("Ranges of a vectored read are merged only up to this size.");

  static final ConfigKey<Long> MEMORY_MAX =
      ConfigKey.size("read.buffer.memory.max")
          .defaultsTo("256M")
          .mustBe("at least 1M", n -> n >= 1 << 20)
          .doc(
              "Heap for all reads of a process, at most a quarter of the JVM's heap. When it is"
                  + " full, vectored reads wait for each other; other reads fetch read.range.min"
                  + " each, even beyond this limit.");

  public static final List<ConfigKey<?>> KEYS =
      List.of(RANGE_MIN, RANGE_FIRST, RANGE_MAX, MERGE_GAP, MERGE_MAX, MEMORY_MAX);

  /**
   * Reads the settings; the memory is at most a quarter of the heap.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static ReadConfig from(Settings settings) {
    return new ReadConfig(
        settings.get(RANGE_MIN),
        settings.get(RANGE_FIRST),
        settings.get(RANGE_MAX),
        settings.get(MERGE_GAP),
        settings.get(MERGE_MAX),
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
