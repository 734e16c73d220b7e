/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.parts.CopiedBeginning;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Splits the written bytes into blocks and sends each full block. The subclass decides how the last
 * block is sent.
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

  /** Returns how much of an object the store copies if the object is the beginning of this one. */
  protected final CopiedBeginning copied(long objectBytes) {
    return sender.beginningOf(objectBytes, config.partSizeBytes());
  }

  /** Returns the number of bytes written so far. */
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
      // A full block is sent only when there is more to write, so an object of exactly one block is
      // one PUT.
      if (block != null && roomBytes == 0) {
        sendBlock();
      }
      if (block == null) {
        roomBytes = sender.nextPartBytes(config.partSizeBytes());
        block = blocks.create(sender.name(), roomBytes);
      }
      int count = (int) Math.min(length - done, roomBytes);
      block.write(bytes, offset + done, count);
      roomBytes -= count;
      done += count;
    }
  }

  /**
   * Refuses to complete the object after a failed write, because some of its bytes are missing. A
   * caller that closes in a {@code finally} block must not publish an incomplete object.
   */
  protected final void refuseAfterFailedWrite() throws IOException {
    if (writeFailure != null) {
      throw new IOException(
          "a write to " + sender.key() + " failed, so nothing of the object is kept", writeFailure);
    }
  }

  /** Passes the current block, if there is one, to the sender. */
  protected final void sendBlock() throws IOException {
    if (block != null) {
      Block full = block;
      block = null;
      sender.send(full);
    }
  }

  /**
   * Returns the block that is not sent yet, or an empty block if there is none; the caller owns it.
   */
  protected final Block takeBlock() {
    Block last = block == null ? blocks.create(sender.name(), 0) : block;
    block = null;
    return last;
  }

  /** Makes a block that was taken the next one to send. */
  protected final void putBack(Block taken) {
    block = taken;
  }

  /**
   * Returns what was written, if it is one block that is in memory and not larger than this, and no
   * write has failed.
   */
  protected final Optional<byte[]> content(int bytesMax) throws IOException {
    if (writeFailure != null) {
      return Optional.empty();
    }
    if (writtenBytes == 0) {
      return Optional.of(new byte[0]);
    }
    boolean isWhole = block != null && sender.partsSent() == 0 && writtenBytes <= bytesMax;
    return isWhole && block.isInMemory() ? Optional.of(block.content()) : Optional.empty();
  }

  protected final boolean isOpen() {
    return !closed;
  }

  /** Marks the writer closed. Returns true only at the first call, which must do the closing. */
  protected final boolean closing() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /**
   * Aborts the write: nothing becomes visible and nothing stays in the store. Does nothing after a
   * close.
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

  /** Makes all further writes fail, and discards the block that is not sent yet. */
  protected final synchronized void closeForGood() {
    closed = true;
    discardBlock();
  }

  /** Aborts after a failure. A failure of the abort is added to it as suppressed. */
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
