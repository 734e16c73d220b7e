/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import io.penstock.hadoop.checkpoint.AtomicOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A file that is written under a hidden name in its final directory. {@code close} fails if the
 * thread is interrupted before the file gets its name. The thread stays interrupted in any case.
 */
final class SharedOutput extends AtomicOutput {
  private static final int BUFFER = 64 << 10;

  /** The step that gives the file its name. */
  @FunctionalInterface
  interface Publisher {
    void publish(Path temporary, Path target) throws IOException;
  }

  private final Disk disk;
  private final Path temporary;
  private final Path target;
  private final Publisher publisher;
  private final Disk.Sink file;
  private final OutputStream buffer;
  private IOException broken;
  private boolean done;

  SharedOutput(Disk disk, Path temporary, Path target, Publisher publisher) throws IOException {
    this.disk = disk;
    this.temporary = temporary;
    this.target = target;
    this.publisher = publisher;
    this.file = disk.create(temporary);
    this.buffer = new BufferedOutputStream(file, BUFFER);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int count) throws IOException {
    requireOpen();
    try {
      buffer.write(bytes, from, count);
    } catch (IOException e) {
      throw breaks(e);
    }
  }

  @Override
  public synchronized void flush() throws IOException {
    requireOpen();
    try {
      buffer.flush();
    } catch (IOException e) {
      throw breaks(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (done) {
      return;
    }
    done = true;
    try {
      requireWhole();
      failIfInterrupted();
      buffer.flush();
      file.sync();
      file.close();
      failIfInterrupted();
      publisher.publish(temporary, target);
    } catch (IOException | RuntimeException e) {
      discard(e);
      throw e;
    }
  }

  @Override
  public synchronized void cancel() throws IOException {
    if (done) {
      return;
    }
    done = true;
    try {
      file.close();
    } finally {
      disk.delete(temporary);
    }
  }

  private void requireOpen() throws IOException {
    if (done) {
      throw new IOException(target + " is closed");
    }
  }

  /** Marks the file as broken. The failed bytes are missing even if later writes succeed. */
  private IOException breaks(IOException failure) {
    if (broken == null) {
      broken = failure;
    }
    return failure;
  }

  private void requireWhole() throws IOException {
    if (broken != null) {
      throw new IOException(
          "%s is not written: an earlier write to it failed (%s)"
              .formatted(target, broken.getMessage()),
          broken);
    }
  }

  private void failIfInterrupted() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted before " + target + " was written");
    }
  }

  /**
   * Deletes the hidden file. A link request that is still on its way to a server then does nothing.
   */
  private void discard(Exception failure) {
    try {
      file.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    try {
      disk.delete(temporary);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
