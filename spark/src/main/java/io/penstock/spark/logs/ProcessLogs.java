/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.logs;

import io.penstock.core.time.Time;
import io.penstock.spark.heartbeat.PeriodicThread;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the log of this process, and what it prints as errors, in a directory that outlives it. The
 * job is never held up: what fails is tried again, and what is too much is left out.
 */
public final class ProcessLogs {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessLogs.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** A store that does not answer must not keep a process from its end for longer. */
  private static final Duration LAST_WRITE = Duration.ofSeconds(5);

  /** Before file systems are closed (10), after Spark has stopped (40). */
  private static final int HOOK_PRIORITY = 15;

  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static ProcessLogs present;

  private final Path directory;
  private final Supplier<Optional<String>> name;
  private final Configuration hadoop;
  private final Duration interval;
  private final Time time;
  private final String start;
  private final LogSegments segments = new LogSegments(this::write);
  private final Object writing = new Object();
  private final SegmentAppender appender;
  private final PrintStream errors = System.err;
  private final PrintStream both = new PrintStream(new Both(), true);
  private final PeriodicThread thread;
  private final Runnable hook = this::close;
  private FileSystem files;
  private long writtenNanos;
  private boolean isFailing;
  private Thread last;

  private ProcessLogs(
      Path directory,
      Supplier<Optional<String>> name,
      Configuration hadoop,
      Duration interval,
      Time time) {
    this.directory = directory;
    this.name = name;
    this.hadoop = hadoop;
    this.interval = interval;
    this.time = time;
    this.start = START.format(time.now());
    this.appender = SegmentAppender.of(segments);
    this.writtenNanos = time.nowNanos();
    appender.attach();
    System.setErr(both);
    this.thread =
        PeriodicThread.start(
            "penstock-logs",
            "The log is not kept outside this process now",
            LOOK,
            time,
            this::round);
  }

  /**
   * Begins to keep the log of this process, and ends one that was kept before. It ends with the
   * process. Returns nothing if the log cannot be kept, which is a warning.
   *
   * @param name of the files, below the directory; empty as long as it is not known
   * @param interval how much of the log may be lost when the process is killed
   */
  public static synchronized Optional<ProcessLogs> start(
      String directory,
      Supplier<Optional<String>> name,
      Configuration hadoop,
      Duration interval,
      Time time) {
    try {
      endPresent();
      present = new ProcessLogs(new Path(directory), name, hadoop, interval, time);
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().addShutdownHook(present.hook, HOOK_PRIORITY);
      }
      return Optional.of(present);
    } catch (IllegalArgumentException | ClassCastException | LinkageError e) {
      LOG.warn(
          "Logs are not kept in penstock.logs.dir={}: it must name a directory, and Spark must log"
              + " by Log4j 2 ({}). The job is not affected.",
          directory,
          e.toString());
      return Optional.empty();
    }
  }

  /** Ends the log that is kept now, if there is one: that of an application before this one. */
  public static synchronized void endPresent() {
    if (present != null) {
      present.close();
      present = null;
    }
  }

  private void round() throws InterruptedException {
    appender.attach();
    if (segments.isFull() || time.nowNanos() - writtenNanos >= interval.toNanos()) {
      writeAll();
    }
  }

  private void writeAll() {
    synchronized (writing) {
      writeUnderLock();
    }
  }

  private void writeUnderLock() {
    if (name.get().isEmpty()) {
      return;
    }
    try {
      segments.write();
      isFailing = false;
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      IOUtils.closeStream(files); // Somebody may have closed it: the next write opens another one.
      files = null;
      if (!isFailing) {
        isFailing = true;
        LOG.warn(
            "The log was not written to {}; this is tried again, and the job is not affected: {}",
            directory,
            e.toString());
      }
    }
    writtenNanos = time.nowNanos();
  }

  private void write(int number, byte[] content) throws IOException {
    if (files == null) {
      // One of its own, because anybody may close the one that is shared.
      files = FileSystem.newInstance(directory.toUri(), hadoop);
    }
    String file =
        String.format(Locale.ROOT, "%s-%s-%04d.log", name.get().orElseThrow(), start, number);
    try (FSDataOutputStream out = files.create(new Path(directory, file), true)) {
      out.write(content);
    }
  }

  /** Writes what was logged so far; more may follow. Waits for some seconds at most. */
  public synchronized void flush() {
    if (last != null && last.isAlive()) {
      return; // The store does not answer.
    }
    last = new Thread(this::writeAll, "penstock-last-log");
    last.setDaemon(true);
    last.start();
    try {
      last.join(LAST_WRITE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void close() {
    thread.close();
    if (System.err == both) {
      System.setErr(errors);
    }
    try {
      appender.detach();
    } finally {
      flush();
    }
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
      IOUtils.closeStream(files);
    }
  }

  /** Prints errors where they were printed before, and adds them to the log. */
  private final class Both extends OutputStream {
    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      errors.write(bytes, offset, length);
      segments.add(bytes, offset, length);
    }

    @Override
    public void flush() {
      errors.flush();
    }
  }
}
