/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Draws and writes one chunk of a set. A chunk is independent of all others. */
final class Chunk {
  private static final double LATE = 0.01;
  private static final int LINES_BETWEEN_LOOKS = 4_096;

  private final Plan plan;
  private final Fleet fleet;
  private final Words words;
  private final int number;
  private final WrittenCounts tally;
  private final BooleanSupplier isCancelled;

  Chunk(Plan plan, Fleet fleet, Words words, int number, BooleanSupplier isCancelled) {
    this.plan = plan;
    this.fleet = fleet;
    this.words = words;
    this.number = number;
    this.tally = new WrittenCounts(plan.options().prefixes(), plan.tasks());
    this.isCancelled = isCancelled;
  }

  /** Writes the files of the chunk under a directory and returns the counts of what was written. */
  WrittenCounts write(Slowness slowness, Path directory) throws IOException {
    Draw draw = new Draw(plan, fleet, slowness, number, tally);
    long from = plan.chunkStart(number);
    long to = plan.chunkEnd(number);
    Batch batch = plan.isReadChunk(number) ? draw.reads(from, to) : draw.uploads(from, to);
    int[] order = batch.order();
    for (int index : order) {
      count(batch, index);
    }
    if (plan.options().formats().contains(LogFormat.ACCESS_LOG)) {
      writeLines(batch, order, directory.resolve(LogFormat.ACCESS_LOG.toString()));
    }
    if (plan.options().formats().contains(LogFormat.CLOUDTRAIL)) {
      writeEvents(batch, order, directory.resolve(LogFormat.CLOUDTRAIL.toString()));
    }
    return tally;
  }

  private void count(Batch batch, int index) {
    Call call = batch.call(index);
    long subject = batch.subject(index);
    int task = call == Call.LIST ? -1 : words.task(batch, index);
    tally.request(batch, index, call.isWrite() ? fleet.prefix(subject) : -1, task);
    if (call == Call.COMPLETE && !batch.isThrottled(index)) {
      tally.taskFiles[task]++;
      tally.taskBytes[task] += plan.fileBytes(subject);
    }
  }

  private void writeLines(Batch batch, int[] order, Path directory) throws IOException {
    AccessLines lines = new AccessLines(plan, words);
    int[] late = new int[order.length];
    int lateCount = 0;
    try (AccessFiles files = new AccessFiles(directory, plan, number, tally)) {
      for (int i = 0; i < order.length; i++) {
        if (i % LINES_BETWEEN_LOOKS == 0) {
          look();
        }
        int index = order[i];
        if (i > 0 && isLate(batch, index)) {
          late[lateCount++] = index;
        } else {
          line(lines, files.at(batch.millis(index)), batch, index);
        }
      }
      if (lateCount > 0) {
        files.late();
      }
      for (int i = 0; i < lateCount; i++) {
        line(lines, files.more(), batch, late[i]);
      }
      if (number == plan.chunks() - 1 && plan.options().oddShare() > 0) {
        files.dropFinalNewline();
      }
    }
    tally.lateLines += lateCount;
  }

  private boolean isLate(Batch batch, int index) {
    return Mix.unit(Mix.of(plan.options().seed(), Purpose.LATE, batch.id(index))) < LATE;
  }

  private void line(AccessLines lines, LineBuffer buffer, Batch batch, int index) {
    LineMutation oddity = lines.oddity(batch, index);
    lines.line(buffer, batch, index, oddity);
    tally.lines += oddity == LineMutation.DUPLICATE ? 2 : 1;
    if (oddity != LineMutation.NONE) {
      tally.oddity(oddity);
    }
  }

  private void writeEvents(Batch batch, int[] order, Path directory) throws IOException {
    TrailEvents events = new TrailEvents(plan, words);
    try (TrailFiles files = new TrailFiles(directory, plan.options().seed(), number, tally)) {
      for (int i = 0; i < order.length; i++) {
        if (i % LINES_BETWEEN_LOOKS == 0) {
          look();
        }
        events.event(files.at(batch.millis(order[i])), batch, order[i]);
      }
    }
  }

  private void look() throws InterruptedIOException {
    if (isCancelled.getAsBoolean()) {
      throw new InterruptedIOException("the generation of logs was cancelled");
    }
  }
}
