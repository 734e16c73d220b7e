/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.time.Duration;

/** The room for blocks, of the process, as one bucket may use it. */
record Buffers(
    BufferBudget memory,
    long memoryMaxBytes,
    BufferBudget disk,
    long diskMaxBytes,
    Duration longestWait) {

  static Buffers ofProcess(UploadConfig config) {
    return new Buffers(
        BufferBudget.MEMORY,
        config.memoryMaxBytes(),
        BufferBudget.DISK,
        config.diskMaxBytes(),
        config.longestWait());
  }

  boolean tryToFill(long bytes) {
    return memory.tryToFill(bytes, memoryMaxBytes);
  }

  boolean waitToFill(long bytes, String object) throws IOException {
    return memory.waitToFill(new BufferBudget.Wish(bytes, memoryMaxBytes, longestWait, object));
  }

  void moveUnderWay(long heapBytes) {
    memory.moveUnderWay(heapBytes);
  }

  void giveBackMemory(long bytes, boolean wasUnderWay) {
    if (wasUnderWay) {
      memory.giveBack(bytes);
    } else {
      memory.giveBackFilled(bytes);
    }
  }

  void takeDisk(long bytes, String object) throws IOException {
    disk.take(new BufferBudget.Wish(bytes, diskMaxBytes, longestWait, object));
  }

  void addDisk(long bytes) {
    disk.add(bytes);
  }

  void giveBackDisk(long bytes) {
    disk.giveBack(bytes);
  }
}
