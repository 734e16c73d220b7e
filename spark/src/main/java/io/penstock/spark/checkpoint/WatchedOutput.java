/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.ClaimWatch;
import io.penstock.core.checkpoint.ClaimWatch.OvertakenException;
import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.LogPosition;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/** The output of a batch's file in a log. It writes no file if this run was overtaken. */
final class WatchedOutput extends CheckedOutput {
  private final ClaimWatch watch;
  private final LogPosition position;

  WatchedOutput(AtomicOutput output, ClaimWatch watch, LogPosition position) {
    super(output);
    this.watch = watch;
    this.position = position;
  }

  @Override
  void before() throws IOException {
    require(watch, position);
  }

  /** Checks again: a later run may have started during a pause. */
  @Override
  void after() throws IOException {
    require(watch, position);
    watch.wrote(position.log(), position.number());
  }

  /**
   * Fails if a later run has overtaken this one. Throws the exception that Spark reports as another
   * query with the same checkpoint.
   */
  static void require(ClaimWatch watch, LogPosition position) throws IOException {
    try {
      watch.requireNotOvertaken(() -> position.isBehindOrTakenBack(watch.written(position.log())));
    } catch (OvertakenException e) {
      FileAlreadyExistsException taken = new FileAlreadyExistsException(e.getMessage());
      taken.initCause(e);
      throw taken;
    }
  }
}
