/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.store.parts.Part;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of uploads.
 *
 * @param partSizeBytes the size of the first thousand parts; an object of at most this size is one
 *     PUT
 * @param partsActive the most parts of one object that are in memory or under way at a time, not
 *     counting spare ones
 * @param takesSpareParts whether an object may exceed {@code partsActive} by spare parts, a few of
 *     which all objects of the process share
 * @param directories the directories for the files of blocks, comma separated
 * @param memoryMaxBytes the most heap for the blocks of all objects together
 * @param diskMaxBytes the most disk space in the directories for the waiting parts and the parts
 *     under way of all objects together
 * @param longestWait the longest wait for memory or disk space
 */
public record UploadConfig(
    long partSizeBytes,
    int partsActive,
    boolean takesSpareParts,
    Buffer buffer,
    Optional<String> directories,
    long memoryMaxBytes,
    long diskMaxBytes,
    Duration longestWait) {
  /** The place where a part waits until it is sent. */
  public enum Buffer {
    /** In memory while there is room, otherwise in a file; nobody waits for memory. */
    AUTO,
    /** In a file, unless it is small. */
    DISK,
    /** In memory; its writer waits for room. */
    ARRAY
  }

  static final ConfigKey<Long> PART_SIZE =
      ConfigKey.size("upload.part.size")
          .defaultsTo("32M")
          .alsoReads("fs.s3a.multipart.size", "fs.s3n.multipart.uploads.split.size")
          .mustBe("5M to 5G", n -> n >= Part.MIN_SIZE_BYTES && n <= Part.MAX_SIZE_BYTES)
          .doc(
              "Size of an upload's first parts; doubles every 1,000 numbers. 32M suits up to 17 TiB"
                  + " (upload.part.numbers=spaced 2.2 TiB, uniform 312 GiB), 3G 50 TB. Outside"
                  + " commits, a PUT writes up to this size.");

  static final ConfigKey<Buffer> BUFFER =
      ConfigKey.choice("upload.buffer", Buffer.class)
          .defaultsTo("auto")
          .doc(
              "Where parts wait to be sent. disk: on disk, if over 1 MiB. array: on the heap. auto:"
                  + " on the heap up to 3/4 of upload.buffer.memory.max, then disk. Any"
                  + " fs.s3a.fast.upload.buffer but disk means array.");

  static final ConfigKey<Optional<String>> DIRECTORIES =
      ConfigKey.text("upload.buffer.dir")
          .alsoReads("fs.s3a.buffer.dir", "fs.s3.buffer.dir")
          .doc(
              "Directories for buffer files, comma separated. Default: the JVM's temporary"
                  + " directory.");

  static final ConfigKey<Long> MEMORY_MAX =
      ConfigKey.size("upload.buffer.memory.max")
          .defaultsTo("256M")
          .mustBe("at least 1M", n -> n >= 1 << 20)
          .doc(
              "Heap for a process's parts, at most a quarter of the JVM's heap; each open object"
                  + " takes 8 KiB more. When it is full, parts go to files; with"
                  + " upload.buffer=array, writers first wait for memory.");

  static final ConfigKey<Long> DISK_MAX =
      ConfigKey.size("upload.buffer.disk.max")
          .defaultsTo("8G")
          .mustBe("at least 1M", n -> n >= 1 << 20)
          .doc(
              "Space in upload.buffer.dir for those parts of a process that wait to be sent or are"
                  + " being sent. When it is full, writers wait. Parts that are still being written"
                  + " are not counted.");

  public static final List<ConfigKey<?>> KEYS =
      List.of(PART_SIZE, BUFFER, DIRECTORIES, MEMORY_MAX, DISK_MAX);

  /** A judgement; spare parts follow where more connections move more bytes. */
  private static final int PARTS_ACTIVE = 4;

  /** A judgement: a buffer that stays full for so long means that the store takes nothing. */
  private static final Duration WAIT_MAX = Duration.ofMinutes(10);

  /** Setting names of other systems that {@link #from} reads in addition to the aliases. */
  public static final List<String> FOREIGN = List.of("fs.s3a.fast.upload.buffer");

  /**
   * Reads the settings; the memory is at most a quarter of the heap.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static UploadConfig from(Settings settings) {
    return new UploadConfig(
        settings.get(PART_SIZE),
        PARTS_ACTIVE,
        true,
        buffer(settings),
        settings.get(DIRECTORIES),
        memoryMaxBytes(settings.get(MEMORY_MAX), Runtime.getRuntime().maxMemory()),
        settings.get(DISK_MAX),
        WAIT_MAX);
  }

  /** Returns our setting, or that of S3A, unless it is disk: that is also its default. */
  private static Buffer buffer(Settings settings) {
    boolean s3aArray =
        settings.foreign("fs.s3a.fast.upload.buffer").filter(b -> !b.equals("disk")).isPresent();
    boolean ours = settings.sourceOf(BUFFER).isPresent();
    return !ours && s3aArray ? Buffer.ARRAY : settings.get(BUFFER);
  }

  /**
   * Limits the size to a quarter of the heap, because the heap belongs mainly to the user's data.
   */
  static long memoryMaxBytes(long setBytes, long heapBytes) {
    return Math.min(setBytes, heapBytes / 4);
  }
}
