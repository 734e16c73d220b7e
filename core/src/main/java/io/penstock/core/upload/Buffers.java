/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The memory and disk for blocks, with the limits of one bucket. */
record Buffers(UploadRoom room, long memoryMaxBytes, long diskMaxBytes, Duration longestWait) {
  Path newFile(Path directory) throws IOException {
    return room.directories().newFile(directory);
  }

  boolean tryToFill(long bytes) {
    return room.memory().tryToFill(bytes, memoryMaxBytes);
  }

  /**
   * Takes bytes for a large block. Three quarters of the memory are for such blocks: by default,
   * the four parts of one object that are under way and the one that is filled fit. The rest
   * remains for small objects, which would need a file each otherwise.
   *
   * @param asSmallBytes bytes that the block took while it was small
   */
  boolean tryToFillLarge(long bytes, long asSmallBytes) {
    return room.memory()
        .tryToFillLarge(bytes, asSmallBytes, memoryMaxBytes / 4 * 3, memoryMaxBytes);
  }

  /**
   * Takes bytes for content that stays in memory until its task ends. A quarter of the memory is
   * for such content: its task soon copies it into a message, and Spark copies that.
   *
   * @param blockBytes bytes of the block that the content is copied from, which are given back soon
   */
  boolean tryToKeep(long bytes, long blockBytes) {
    return room.memory().tryToFillSmall(bytes, memoryMaxBytes / 4 + blockBytes, memoryMaxBytes);
  }

  boolean waitToFill(long bytes, String object) throws IOException {
    return room.memory()
        .waitToFill(new BufferBudget.Wish(bytes, memoryMaxBytes, longestWait, object));
  }

  void moveUnderWay(long heapBytes) {
    room.memory().moveUnderWay(heapBytes);
  }

  /** Gives back bytes of large blocks; they still count until {@link #giveBackMemory}. */
  void giveBackLarge(long bytes) {
    room.memory().giveBackLarge(bytes);
  }

  void giveBackMemory(long bytes, boolean wasUnderWay) {
    if (wasUnderWay) {
      room.memory().giveBack(bytes);
    } else {
      room.memory().giveBackFilled(bytes);
    }
  }

  void takeDisk(long bytes, String object) throws IOException {
    room.disk().take(new BufferBudget.Wish(bytes, diskMaxBytes, longestWait, object));
  }

  void addDisk(long bytes) {
    room.disk().add(bytes);
  }

  void giveBackDisk(long bytes) {
    room.disk().giveBack(bytes);
  }
}
