/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.memory.ArrayPool;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/** Holds what the uploads of a process share: memory, disk, spare parts. Safe for many threads. */
public final class UploadRoom {
  /**
   * With the four of its own, an object that is written alone has 16 parts under way. S3 gives a
   * connection 60 to 100 MB/s, so this is a gigabyte a second. All spare parts of the default size
   * take 384 MiB of disk. They are taken only while more connections give more.
   */
  private static final int SPARE_PARTS = 12;

  /**
   * The largest array of a block. The G1 collector puts an array of half a region or more into
   * regions of its own, and a region has 1 MiB in a small heap.
   */
  static final int ARRAY_BYTES = 256 << 10;

  /** Three quarters of the default memory of uploads, which is what large blocks may hold. */
  private static final int IDLE_ARRAYS_MAX = (192 << 20) / ARRAY_BYTES;

  private final ArrayPool arrays = new ArrayPool(ARRAY_BYTES, IDLE_ARRAYS_MAX);
  private final Semaphore spareParts = new Semaphore(SPARE_PARTS);
  private final BufferBudget memory;
  private final BufferBudget disk;
  private final SpillDirectories directories = new SpillDirectories();

  /** Creates empty budgets. The settings of each bucket limit how much the bucket may use. */
  public UploadRoom() {
    this(new BufferBudget("upload.buffer.memory.max"), new BufferBudget("upload.buffer.disk.max"));
  }

  UploadRoom(BufferBudget memory, BufferBudget disk) {
    this.memory = memory;
    this.disk = disk;
  }

  ArrayPool arrays() {
    return arrays;
  }

  BufferBudget memory() {
    return memory;
  }

  BufferBudget disk() {
    return disk;
  }

  /**
   * Returns the permits for parts of one object beyond its own.
   *
   * @param config settings of the object's bucket
   * @param gainsByMore tells whether more parts at once are of use
   */
  PartPermits permits(UploadConfig config, BooleanSupplier gainsByMore) {
    return new PartPermits(
        config.partsActive(),
        config.takesSpareParts() ? spareParts : new Semaphore(0),
        gainsByMore);
  }

  SpillDirectories directories() {
    return directories;
  }

  /** Returns the budgets with the limits of a bucket with these settings. */
  Buffers buffers(UploadConfig config) {
    return new Buffers(this, config.memoryMaxBytes(), config.diskMaxBytes(), config.longestWait());
  }
}
