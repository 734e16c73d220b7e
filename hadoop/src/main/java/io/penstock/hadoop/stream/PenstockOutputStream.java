/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.stream;

import io.penstock.core.recent.LogOnce;
import io.penstock.hadoop.tree.Failures;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output stream of a new file. The file becomes visible only when the stream closes without an
 * error.
 */
public final class PenstockOutputStream extends OutputStream
    implements StreamCapabilities, Abortable, Syncable, IOStatisticsSource {
  private static final Logger LOG = LoggerFactory.getLogger(PenstockOutputStream.class);

  /** The core writer behind the stream, and the way to abort it. */
  public interface Destination {
    OutputStream out();

    default void close() throws IOException {
      out().close();
    }

    /** Discards the written data; nothing becomes visible. */
    void abort() throws IOException;
  }

  private final String path;
  private final Destination target;
  private final LogOnce warnings;
  private final FileSystem.Statistics statistics;
  private final IOStatisticsStore streamStatistics =
      IOStatisticsBinding.iostatisticsStore()
          .withCounters(StreamStatisticNames.STREAM_WRITE_BYTES)
          .build();
  private boolean ended;

  public PenstockOutputStream(
      String path, Destination target, LogOnce warnings, FileSystem.Statistics statistics) {
    this.path = path;
    this.target = target;
    this.warnings = warnings;
    this.statistics = statistics;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      target.out().write(bytes, offset, length);
      streamStatistics.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, length);
      if (statistics != null) {
        statistics.incrementBytesWritten(length);
      }
    } catch (IOException e) {
      throw Failures.translate(path, e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    ended = true;
    try {
      target.close();
    } catch (IOException e) {
      throw Failures.translate(path, e);
    }
  }

  @Override
  public synchronized AbortableResult abort() {
    boolean already = ended;
    ended = true;
    IOException failure = null;
    try {
      if (!already) {
        target.abort();
      }
    } catch (IOException e) {
      failure = e;
    }
    return new Aborted(already, failure);
  }

  private record Aborted(boolean alreadyClosed, IOException anyCleanupException)
      implements AbortableResult {}

  /** Does nothing except log a warning: on S3 an object is either missing or complete. */
  @Override
  public void hflush() {
    warnOnce("hflush");
  }

  @Override
  public void hsync() {
    warnOnce("hsync");
  }

  /** Warns once for each directory: whoever flushes one of its files flushes them all. */
  private void warnOnce(String call) {
    if (warnings.isNew("flush in " + path.substring(0, path.lastIndexOf('/') + 1))) {
      LOG.warn(
          "{}: {} does nothing on S3; the data is durable once the file is closed", path, call);
    }
  }

  @Override
  public boolean hasCapability(String capability) {
    return switch (capability.toLowerCase(Locale.ROOT)) {
      case StreamCapabilities.ABORTABLE_STREAM, StreamCapabilities.IOSTATISTICS -> true;
      default -> false;
    };
  }

  @Override
  public IOStatistics getIOStatistics() {
    return streamStatistics;
  }

  @Override
  public String toString() {
    return "PenstockOutputStream{" + path + ", " + streamStatistics + "}";
  }
}
