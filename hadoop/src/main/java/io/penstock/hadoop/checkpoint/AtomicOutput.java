/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The output stream of a new file. When {@link #close} has returned, the whole file exists and is
 * durable. If {@code close} fails, the file is either missing or whole: it may be there if a later
 * run overtook this one meanwhile, if the store's answer was lost, or if the message says so. After
 * {@link #cancel} nothing is published. After a failed write, {@code close} fails. A repeated call
 * of either method does nothing.
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
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when the file exists and must not be
   *     overwritten; the message names its writer, if known
   */
  @Override
  public abstract void close() throws IOException;

  /** Discards the written data. The file stays as it was. */
  public abstract void cancel() throws IOException;
}
