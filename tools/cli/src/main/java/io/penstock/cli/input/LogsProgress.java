/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.analyze.input.ReadProgress;
import io.penstock.cli.print.Terminal;
import io.penstock.tables.Kind;
import io.penstock.tables.format.Values;
import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Shows on a terminal how many files were opened, and which share was read, if it takes a while.
 */
public final class LogsProgress implements ReadProgress {
  private final Terminal terminal;
  private final boolean isShown;
  private ScheduledExecutorService ticker;
  private Future<?> ticks;

  public LogsProgress(PrintWriter err) {
    this.terminal = new Terminal(err);
    this.isShown = Boolean.getBoolean("penstock.terminal");
  }

  @Override
  public void opening(IntSupplier opened, int files) {
    show(
        () ->
            "files opened: %s of %s"
                .formatted(Values.of(Kind.COUNT, opened.getAsInt()), Values.of(Kind.COUNT, files)));
  }

  @Override
  public void reading(Extent extent) {
    show(
        () ->
            "read %s of %s"
                .formatted(Values.bytes(extent.doneBytes()), Values.bytes(extent.totalBytes())));
  }

  private void show(Supplier<String> text) {
    if (!isShown) {
      return;
    }
    ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "penstock-progress");
              thread.setDaemon(true);
              return thread;
            });
    ticks =
        ticker.scheduleWithFixedDelay(() -> terminal.progress(text.get()), 1, 1, TimeUnit.SECONDS);
  }

  @Override
  public void done() {
    if (ticker != null) {
      ticks.cancel(false);
      ticker.shutdown();
      ticker = null;
      terminal.clear();
    }
  }
}
