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
 * The output stream of a new file, or of one that is added to. The file becomes visible when the
 * stream closes without an error, or when it is flushed.
 */
public final class PenstockOutputStream extends OutputStream
    implements StreamCapabilities, Abortable, Syncable, IOStatisticsSource {
  private static final Logger LOG = LoggerFactory.getLogger(PenstockOutputStream.class);

  /** The core writer behind the stream, and the way to abort it. */
  public interface Destination {
    OutputStream out();

    /** Returns how many bytes the file has before the first write. */
    default long position() {
      return 0;
    }

    default void close() throws IOException {
      out().close();
    }

    /** Discards the written data; nothing becomes visible, except what was flushed before. */
    void abort() throws IOException;

    /**
     * Makes what was written so far visible, at once or soon. Returns false, and does nothing, if
     * the file becomes visible by other means only, such as a job's commit.
     */
    default boolean flush() throws IOException {
      return false;
    }
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

  /**
   * Makes what was written so far visible, by default some seconds later. A file of a commit stays
   * invisible.
   */
  @Override
  public void hflush() throws IOException {
    flush("hflush");
  }

  @Override
  public void hsync() throws IOException {
    flush("hsync");
  }

  private synchronized void flush(String call) throws IOException {
    try {
      if (!ended && !target.flush() && warnings.isNew("flush of a commit's file")) {
        LOG.warn(
            "{}: {} does nothing for files of a commit, which are durable once they are closed",
            path,
            call);
      }
    } catch (IOException e) {
      throw Failures.translate(path, e);
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
