/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.hadoop.checkpoint.AtomicOutput;
import java.io.IOException;

/** An output that publishes its file only after a check, and checks once more when it has. */
abstract class CheckedOutput extends AtomicOutput {
  private final AtomicOutput output;
  private boolean ended;

  CheckedOutput(AtomicOutput output) {
    this.output = output;
  }

  /** Checks before the file is published. If it throws, the file is not published. */
  abstract void before() throws IOException;

  /** Checks when the file is published. If it throws, {@link #close} fails. */
  abstract void after() throws IOException;

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    output.write(bytes, offset, length);
  }

  @Override
  public final void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    try {
      before();
      output.close();
    } finally {
      output.cancel();
    }
    after();
  }

  @Override
  public final void cancel() throws IOException {
    ended = true;
    output.cancel();
  }
}
