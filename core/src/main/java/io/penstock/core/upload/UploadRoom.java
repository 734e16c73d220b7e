/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

/** The memory and the disk that the uploads of a process share. Safe for many threads. */
public final class UploadRoom {
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

  SpillDirectories directories() {
    return directories;
  }

  /** Returns the budgets with the limits of a bucket with these settings. */
  Buffers buffers(UploadConfig config) {
    return new Buffers(this, config.memoryMaxBytes(), config.diskMaxBytes(), config.longestWait());
  }
}
