/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A file being written that is there, whole and durable, when {@link #close} has returned, and not
 * at all when it failed or {@link #cancel} was called instead. Either may be called again, and does
 * nothing then.
 */
public abstract class AtomicOutput extends OutputStream {
  @Override
  public final void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public abstract void write(byte[] bytes, int offset, int length) throws IOException;

  /**
   * Publishes the file.
   *
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when the file was not to be overwritten
   *     and is there; its message names who wrote it, if that is known
   */
  @Override
  public abstract void close() throws IOException;

  /** Drops what was written; the file stays as it was. */
  public abstract void cancel() throws IOException;
}
