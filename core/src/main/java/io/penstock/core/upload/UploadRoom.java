/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.util.concurrent.Semaphore;

/** Holds what the uploads of a process share: memory, disk, spare parts. Safe for many threads. */
public final class UploadRoom {
  /**
   * With the four of its own, an object that is written alone has 16 parts under way. S3 gives a
   * connection 60 to 100 MB/s, so this is a gigabyte a second. All spare parts of the default size
   * take 384 MiB of disk.
   */
  private static final int SPARE_PARTS = 12;

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
   */
  PartPermits permits(UploadConfig config) {
    return new PartPermits(
        config.partsActive(), config.takesSpareParts() ? spareParts : new Semaphore(0));
  }

  SpillDirectories directories() {
    return directories;
  }

  /** Returns the budgets with the limits of a bucket with these settings. */
  Buffers buffers(UploadConfig config) {
    return new Buffers(this, config.memoryMaxBytes(), config.diskMaxBytes(), config.longestWait());
  }
}
