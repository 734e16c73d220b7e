/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import io.penstock.loggen.accesslog.AccessFiles;
import io.penstock.loggen.accesslog.AccessLines;
import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.cloudtrail.TrailEvents;
import io.penstock.loggen.cloudtrail.TrailFiles;
import io.penstock.loggen.draw.CallBatch;
import io.penstock.loggen.draw.Draw;
import io.penstock.loggen.draw.LineMutation;
import io.penstock.loggen.draw.Slowness;
import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.LogForm;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;
import io.penstock.loggen.text.LineBuffer;
import io.penstock.loggen.text.Words;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Draws and writes one chunk of a set. A chunk is independent of all others. */
final class Chunk {
  private static final double LATE = 0.01;
  private static final int LINES_BETWEEN_LOOKS = 4_096;

  private final Plan plan;
  private final TaskPlacement fleet;
  private final Words words;
  private final int number;
  private final WrittenCounts tally;
  private final BooleanSupplier isCancelled;

  Chunk(Plan plan, TaskPlacement fleet, Words words, int number, BooleanSupplier isCancelled) {
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
    CallBatch batch = plan.isReadChunk(number) ? draw.reads(from, to) : draw.uploads(from, to);
    int[] order = batch.order();
    for (int index : order) {
      count(batch, index);
    }
    if (plan.options().formats().contains(LogForm.ACCESS_LOG)) {
      writeLines(batch, order, directory.resolve(LogForm.ACCESS_LOG.toString()));
    }
    if (plan.options().formats().contains(LogForm.CLOUDTRAIL)) {
      writeEvents(batch, order, directory.resolve(LogForm.CLOUDTRAIL.toString()));
    }
    return tally;
  }

  private void count(CallBatch batch, int index) {
    Call call = batch.call(index);
    long subject = batch.subject(index);
    int task = call == Call.LIST ? -1 : words.task(batch, index);
    tally.request(batch, index, call.isWrite() ? fleet.prefix(subject) : -1, task);
    if (call == Call.COMPLETE && !batch.isThrottled(index)) {
      tally.taskFiles[task]++;
      tally.taskBytes[task] += plan.fileBytes(subject);
    }
  }

  private void writeLines(CallBatch batch, int[] order, Path directory) throws IOException {
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

  private boolean isLate(CallBatch batch, int index) {
    return Mix.unit(Mix.of(plan.options().seed(), Purpose.LATE, batch.id(index))) < LATE;
  }

  private void line(AccessLines lines, LineBuffer buffer, CallBatch batch, int index) {
    LineMutation oddity = lines.oddity(batch, index);
    lines.line(buffer, batch, index, oddity);
    tally.lines += oddity == LineMutation.DUPLICATE ? 2 : 1;
    if (oddity != LineMutation.NONE) {
      tally.oddity(oddity);
    }
  }

  private void writeEvents(CallBatch batch, int[] order, Path directory) throws IOException {
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
