/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.ClaimWatch;
import io.penstock.core.checkpoint.ClaimWatch.OvertakenException;
import io.penstock.hadoop.checkpoint.AtomicOutput;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/** A file of the offsets or the commits, which is not written by a run that was overtaken. */
final class WatchedOutput extends AtomicOutput {
  private final AtomicOutput output;
  private final ClaimWatch watch;
  private final boolean plans;
  private boolean ended;

  /**
   * @param plans whether the file plans a batch, rather than commit it
   */
  WatchedOutput(AtomicOutput output, ClaimWatch watch, boolean plans) {
    this.output = output;
    this.watch = watch;
    this.plans = plans;
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
      if (!plans) {
        watch.lookAhead();
        output.close();
        return;
      }
      watch.requireNewest();
      output.close();
      watch.requireStillNewest();
    } catch (OvertakenException e) {
      output.cancel();
      // Spark takes this one for what it is: another query on the same checkpoint.
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
