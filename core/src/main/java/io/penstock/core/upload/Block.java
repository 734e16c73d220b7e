/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Body;
import io.penstock.core.upload.UploadConfig.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The bytes of one part while the part is filled and sent. The bytes are in memory as far as the
 * memory budget grants it. Otherwise they move to a temporary file. A block that exceeds the size
 * of most small objects is large: in disk mode it moves to a file, and by default it gets a part of
 * the budget only. The {@link Buffers} count everything that a block holds, except for {@link
 * #FIRST_BYTES} while the block is filled. Used by one thread at a time.
 */
final class Block {
  /**
   * The bytes that every block may hold without a grant of the budget while it is filled, so that a
   * small object needs no file. A block that moves to a file has a file buffer of the same size
   * instead. A process with 10,000 open writers holds 80 MB in this way.
   */
  static final int FIRST_BYTES = SpillFile.BUFFER_BYTES;

  private static final int SMALL_MAX_BYTES = 1 << 20;

  private final Buffers buffers;
  private final Buffer mode;
  private final Path directory;
  private final String object;
  private final long maxBytes;
  private final Chunks chunks;
  private SpillFile file;
  private long countedHeapBytes;
  private long countedLargeBytes; // none or all of them, in a mode that tells them apart
  private long countedDiskBytes;
  private boolean isUnderWay;

  /**
   * @param directory the directory for the file
   * @param object the object that the part belongs to, for messages
   * @param maxBytes the largest size of the part
   */
  Block(Buffers buffers, Buffer mode, Path directory, String object, long maxBytes) {
    this.buffers = buffers;
    this.mode = mode;
    this.directory = directory;
    this.object = object;
    this.maxBytes = maxBytes;
    this.chunks = new Chunks(buffers.room().arrays());
  }

  /** Appends bytes. The caller must not exceed the part's size. */
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

  /**
   * Doubles the block's memory, within the limits. Returns false if the block must continue in a
   * file.
   */
  private boolean grow() throws IOException {
    long has = chunks.capacityBytes();
    int more =
        (int) Math.min(Math.max(FIRST_BYTES, Math.min(has, UploadRoom.ARRAY_BYTES)), left(has));
    if (has > 0 && !(has + more <= SMALL_MAX_BYTES ? takeMemory(more) : takeLarge(more))) {
      return false;
    }
    chunks.add(more);
    return true;
  }

  private boolean takeLarge(long bytes) throws IOException {
    return switch (mode) {
      case ARRAY -> takeMemory(bytes);
      case DISK -> false;
      case AUTO -> {
        // With the bytes that a small block has without a grant, so that the block needs no more
        // when it is handed over.
        long all = bytes + chunks.capacityBytes() - countedHeapBytes;
        long asSmall = countedHeapBytes - countedLargeBytes;
        boolean taken = buffers.tryToFillLarge(all, asSmall);
        if (taken) {
          countedHeapBytes += all;
          countedLargeBytes = countedHeapBytes;
        }
        yield taken;
      }
    };
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
          "cannot buffer an upload in %s: %s. Set penstock.upload.buffer.dir to a directory with free space, or %s."
              .formatted(
                  directory,
                  e.getMessage(),
                  mode == Buffer.ARRAY
                      ? "raise penstock.upload.buffer.memory.max"
                      : "set penstock.upload.buffer=array"),
          e);
    }
    freeMemory();
  }

  /** Returns the heap that the budget has granted to this block. */
  long countedHeapBytes() {
    return countedHeapBytes;
  }

  long sizeBytes() {
    return file == null ? chunks.sizeBytes() : file.sizeBytes();
  }

  /**
   * Counts the block as under way once the budget has room. The pool gives back the bytes of such
   * blocks without the writer's help. Nothing may be written to the block afterwards.
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
   * Counts the block as under way without waiting for room. It is for a writer that sends the block
   * on its own thread and therefore sends only one block at a time.
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

  boolean isInMemory() {
    return file == null;
  }

  /** Returns a copy of everything written to a block that was not handed over. */
  byte[] content() throws IOException {
    if (file != null) {
      file.close();
    }
    try (InputStream in = body().open()) {
      return in.readAllBytes();
    }
  }

  /** Returns everything written. Called after the block was handed over. */
  Body body() {
    return file == null ? chunks.body() : file.body();
  }

  /**
   * Frees memory and files and returns the counted bytes to the budget; may be called more than
   * once.
   */
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
    long largeBytes = countedLargeBytes;
    countedHeapBytes = 0;
    countedLargeBytes = 0;
    if (largeBytes > 0) {
      buffers.giveBackLarge(largeBytes);
    }
    if (bytes > 0) {
      buffers.giveBackMemory(bytes, isUnderWay);
    }
  }
}
