/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.analyze.input.ReadProgress;
import io.penstock.cli.print.Terminal;
import io.penstock.tables.format.Values;
import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Shows on a terminal which share of the logs has been read, if reading takes a while. */
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
  public void reading(Extent extent) {
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
    ticks = ticker.scheduleWithFixedDelay(() -> show(extent), 1, 1, TimeUnit.SECONDS);
  }

  private void show(Extent extent) {
    terminal.progress(
        "read %s of %s"
            .formatted(Values.bytes(extent.doneBytes()), Values.bytes(extent.totalBytes())));
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
