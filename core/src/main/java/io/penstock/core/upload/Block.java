/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Body;
import io.penstock.core.upload.UploadConfig.Buffer;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The bytes of one part while they are gathered and sent. They are in memory as far as its budget
 * grants it, and move to a temporary file otherwise; in disk mode also when there are more of them
 * than most small objects have. All that a block holds is counted in the {@link Buffers}, except
 * for {@link #FIRST_BYTES} while it is filled. Used by one thread at a time.
 */
final class Block {
  /**
   * The bytes that every block may hold without asking while it is filled, so that a small object
   * needs no file; afterwards the buffer of its file is as large. A process with 10,000 open
   * writers holds 80 MB like this.
   */
  static final int FIRST_BYTES = SpillFile.BUFFER_BYTES;

  /**
   * The G1 collector puts an array of half a region or more into regions of its own, and regions
   * are of 1 MiB in small heaps.
   */
  private static final int CHUNK_MAX_BYTES = 256 << 10;

  private static final int IN_MEMORY_BYTES_OF_DISK = 1 << 20;

  private final Buffers buffers;
  private final Buffer mode;
  private final Path directory;
  private final String object;
  private final long maxBytes;
  private final Chunks chunks = new Chunks();
  private SpillFile file;
  private long countedHeapBytes;
  private long countedDiskBytes;
  private boolean isUnderWay;

  /**
   * @param directory for the file
   * @param object that it is a part of, for messages
   * @param maxBytes of the part
   */
  Block(Buffers buffers, Buffer mode, Path directory, String object, long maxBytes) {
    this.buffers = buffers;
    this.mode = mode;
    this.directory = directory;
    this.object = object;
    this.maxBytes = maxBytes;
  }

  /** Appends bytes; the caller keeps inside the part's size. */
  void write(byte[] from, int offset, int length) throws IOException {
    int done = 0;
    while (done < length && file == null) {
      int count = chunks.write(from, offset + done, length - done);
      if (count == 0 && !grow()) {
        moveToFile();
      }
      done += count;
    }
    if (done < length) {
      file.write(from, offset + done, length - done);
    }
  }

  /** Adds memory, as much again as there is, unless the block is to go on in a file. */
  private boolean grow() throws IOException {
    long has = chunks.capacityBytes();
    int more = (int) Math.min(Math.max(FIRST_BYTES, Math.min(has, CHUNK_MAX_BYTES)), left(has));
    if (has > 0) {
      boolean isSmallEnough = mode == Buffer.ARRAY || has + more <= IN_MEMORY_BYTES_OF_DISK;
      if (!isSmallEnough || !takeMemory(more)) {
        return false;
      }
    }
    chunks.add(more);
    return true;
  }

  private long left(long bytes) {
    return Math.max(1, maxBytes - bytes);
  }

  private boolean takeMemory(long bytes) throws IOException {
    boolean taken =
        mode == Buffer.ARRAY ? buffers.waitToFill(bytes, object) : buffers.tryToFill(bytes);
    if (taken) {
      countedHeapBytes += bytes;
    }
    return taken;
  }

  private void moveToFile() throws IOException {
    try {
      file = SpillFile.at(buffers.newFile(directory));
      chunks.writeTo(file);
    } catch (IOException e) {
      throw new IOException(
          "cannot buffer an upload in %s: %s. Set upload.buffer.dir to a directory with space, or %s."
              .formatted(
                  directory,
                  e.getMessage(),
                  mode == Buffer.ARRAY ? "raise upload.buffer.memory.max" : "upload.buffer=array"),
          e);
    }
    freeMemory();
  }

  long sizeBytes() {
    return file == null ? chunks.sizeBytes() : file.sizeBytes();
  }

  /**
   * Counts the block among those that are given back without their writer's help, once there is
   * room among them; nothing may be written after.
   */
  void handOver() throws IOException {
    if (file == null && !takeMemory(chunks.capacityBytes() - countedHeapBytes)) {
      moveToFile();
    }
    if (file != null) {
      file.close();
      buffers.takeDisk(file.sizeBytes(), object);
    }
    countUnderWay();
  }

  /**
   * Counts the block likewise, but waits for nothing: for a writer that sends it by its own thread,
   * and so sends one at a time.
   */
  void handOverToOwnThread() throws IOException {
    if (file != null) {
      file.close();
      buffers.addDisk(file.sizeBytes());
    }
    countUnderWay();
  }

  private void countUnderWay() {
    countedDiskBytes = file == null ? 0 : file.sizeBytes();
    buffers.moveUnderWay(countedHeapBytes);
    isUnderWay = true;
  }

  /** Returns everything written, once it was handed over. */
  Body body() {
    return file == null ? chunks.body() : file.body();
  }

  /** Frees memory and files and gives back what was counted; may be called more than once. */
  synchronized void discard() {
    freeMemory();
    if (file != null) {
      file.delete();
      buffers.giveBackDisk(countedDiskBytes);
      countedDiskBytes = 0;
    }
  }

  private void freeMemory() {
    chunks.clear();
    long bytes = countedHeapBytes;
    countedHeapBytes = 0;
    if (bytes > 0) {
      buffers.giveBackMemory(bytes, isUnderWay);
    }
  }
}
