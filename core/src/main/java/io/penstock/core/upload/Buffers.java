/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** The room for blocks that wait or are under way, of the process, as one bucket may use it. */
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

  /** Room that was taken; given back once, however often it is told. */
  final class Room {
    private final long heapBytes;
    private final long diskBytes;
    private final AtomicBoolean taken = new AtomicBoolean(true);

    private Room(long heapBytes, long diskBytes) {
      this.heapBytes = heapBytes;
      this.diskBytes = diskBytes;
    }

    void giveBack() {
      if (taken.getAndSet(false)) {
        memory.giveBack(heapBytes);
        disk.giveBack(diskBytes);
      }
    }
  }

  /** Waits for the block's room; always memory first, so that no two wait for each other. */
  Room takeFor(Block block, String object) throws IOException {
    Room room = new Room(block.heapBytes(), block.diskBytes());
    memory.take(room.heapBytes, memoryMaxBytes, longestWait, object);
    try {
      disk.take(room.diskBytes, diskMaxBytes, longestWait, object);
    } catch (IOException | RuntimeException | Error e) {
      memory.giveBack(room.heapBytes);
      throw e;
    }
    return room;
  }
}
