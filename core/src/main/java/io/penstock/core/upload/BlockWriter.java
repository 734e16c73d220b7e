/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Cuts what is written into blocks and sends each full one; what is left is the subclass's to end.
 */
abstract class BlockWriter extends OutputStream {
  protected final PartSender sender;
  private final Blocks blocks;
  private final UploadConfig config;
  private final byte[] single = new byte[1];
  private Block block;
  private long roomBytes;
  private long writtenBytes;
  private boolean closed;
  private Throwable writeFailure;

  BlockWriter(PartSender sender, Blocks blocks, UploadConfig config) {
    this.sender = sender;
    this.blocks = blocks;
    this.config = config;
  }

  /** Bytes written so far. */
  public final synchronized long writtenBytes() {
    return writtenBytes;
  }

  @Override
  public final synchronized void write(int b) throws IOException {
    single[0] = (byte) b;
    write(single, 0, 1);
  }

  @Override
  public final synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    java.util.Objects.checkFromIndexSize(offset, length, bytes.length);
    if (closed) {
      throw new IOException("write to " + sender.key() + " after it was closed");
    }
    try {
      append(bytes, offset, length);
    } catch (IOException | RuntimeException | Error e) {
      writeFailure = e;
      throw e;
    }
    writtenBytes += length;
  }

  private void append(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      // A full block is sent only when there is more to write: an object of exactly one block is
      // one PUT.
      if (block != null && roomBytes == 0) {
        sendBlock();
      }
      if (block == null) {
        roomBytes = PartSizes.ofPart(sender.nextNumber(), config.partSizeBytes());
        block = blocks.create(sender.name(), roomBytes);
      }
      int count = (int) Math.min(length - done, roomBytes);
      block.write(bytes, offset + done, count);
      roomBytes -= count;
      done += count;
    }
  }

  /**
   * Refuses a close that is to make the object whole: some of it is missing once a write has
   * failed, and whoever closes in a {@code finally} must not publish what is left.
   */
  protected final void refuseAfterFailedWrite() throws IOException {
    if (writeFailure != null) {
      throw new IOException(
          "a write to " + sender.key() + " failed, so nothing of it is kept", writeFailure);
    }
  }

  /** Hands the current block, if any, to the sender. */
  protected final void sendBlock() throws IOException {
    if (block != null) {
      Block full = block;
      block = null;
      sender.send(full);
    }
  }

  /** The block that was not sent yet, an empty one if nothing was written; the caller owns it. */
  protected final Block takeBlock() {
    Block last = block == null ? blocks.create(sender.name(), 0) : block;
    block = null;
    return last;
  }

  protected final boolean isOpen() {
    return !closed;
  }

  /** True once, for the call that is to do the closing. */
  protected final boolean closing() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /**
   * Gives up: nothing becomes visible and nothing stays in the store. Does nothing after a close.
   */
  public final synchronized void abort() throws IOException {
    if (closing()) {
      drop();
    }
  }

  private void drop() throws IOException {
    discardBlock();
    sender.abort();
  }

  private void discardBlock() {
    if (block != null) {
      block.discard();
      block = null;
    }
  }

  /** Writes fail from now on, and what was not sent yet is forgotten. */
  protected final synchronized void closeForGood() {
    closed = true;
    discardBlock();
  }

  /** Aborts after a failure; what goes wrong now is added to it. */
  protected final void abortAfter(Throwable failure) {
    try {
      drop();
    } catch (IOException | RuntimeException | Error e) {
      if (e != failure) {
        failure.addSuppressed(e);
      }
    }
  }
}
