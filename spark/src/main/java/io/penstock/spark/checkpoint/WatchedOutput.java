/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.ClaimWatch;
import io.penstock.core.checkpoint.ClaimWatch.OvertakenException;
import io.penstock.hadoop.checkpoint.AtomicOutput;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/** A batch's file in a log, which a run that was overtaken does not write. */
final class WatchedOutput extends AtomicOutput {
  private final AtomicOutput output;
  private final ClaimWatch watch;
  private boolean ended;

  WatchedOutput(AtomicOutput output, ClaimWatch watch) {
    this.output = output;
    this.watch = watch;
  }

  @Override
  public void write(int b) throws IOException {
    output.write(b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    output.write(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    try {
      require(watch);
      output.close();
    } finally {
      output.cancel();
    }
    require(watch); // After a pause anything may have happened before the write.
  }

  /**
   * Fails when a later run has claimed the checkpoint, with what Spark takes for that: another
   * query uses the same checkpoint.
   */
  static void require(ClaimWatch watch) throws IOException {
    try {
      watch.requireNewest();
    } catch (OvertakenException e) {
      FileAlreadyExistsException taken = new FileAlreadyExistsException(e.getMessage());
      taken.initCause(e);
      throw taken;
    }
  }

  @Override
  public void cancel() throws IOException {
    ended = true;
    output.cancel();
  }
}
