/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.stream;

import io.penstock.core.read.ObjectReader;
import io.penstock.hadoop.tree.Failures;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/**
 * An open file. A seek sends no request, and no connection is held between reads. Positioned and
 * vectored reads may come from any thread. All other reads must come from one thread.
 */
public final class PenstockInputStream extends FSInputStream
    implements CanUnbuffer, StreamCapabilities, IOStatisticsSource {
  private final String path;
  private final ObjectReader reader;
  private final VectoredRead vectored;
  private final FileSystem.Statistics statistics;
  private final IOStatisticsStore streamStatistics =
      IOStatisticsBinding.iostatisticsStore()
          .withCounters(StreamStatisticNames.STREAM_READ_BYTES)
          .build();
  private long position;
  private volatile boolean closed;

  public PenstockInputStream(
      String path, ObjectReader reader, VectoredRead vectored, FileSystem.Statistics statistics) {
    this.path = path;
    this.reader = reader;
    this.vectored = vectored;
    this.statistics = statistics;
  }

  @Override
  public synchronized int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] into, int offset, int length) throws IOException {
    checkOpen();
    java.util.Objects.checkFromIndexSize(offset, length, into.length);
    try {
      int count = reader.read(position, into, offset, length);
      if (count > 0) {
        position += count;
        countRead(count);
      }
      return count;
    } catch (IOException e) {
      throw Failures.translate(path, e);
    }
  }

  @Override
  public int read(long from, byte[] into, int offset, int length) throws IOException {
    checkOpen();
    validatePositionedReadArgs(from, into, offset, length);
    if (length == 0) {
      return 0;
    }
    if (from >= reader.sizeBytes()) {
      return -1;
    }
    int count = (int) Math.min(length, reader.sizeBytes() - from);
    readFully(from, into, offset, count);
    return count;
  }

  @Override
  public void readFully(long from, byte[] into, int offset, int length) throws IOException {
    checkOpen();
    validatePositionedReadArgs(from, into, offset, length);
    if (from + length > reader.sizeBytes()) {
      throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY + ": " + path);
    }
    if (length == 0) {
      return;
    }
    try {
      synchronized (this) {
        if (reader.buffered(from) >= length) {
          reader.read(from, into, offset, length);
          countRead(length);
          return;
        }
      }
      reader.readFully(from, into, offset, length);
      countRead(length);
    } catch (IOException e) {
      throw Failures.translate(path, e);
    }
  }

  @Override
  public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
      throws IOException {
    checkOpen();
    vectored.start(ranges, allocate, this::countRead);
  }

  @Override
  public void readVectored(
      List<? extends FileRange> ranges,
      IntFunction<ByteBuffer> allocate,
      java.util.function.Consumer<ByteBuffer> release)
      throws IOException {
    java.util.Objects.requireNonNull(release, "release");
    readVectored(ranges, allocate);
  }

  @Override
  public synchronized void seek(long to) throws IOException {
    checkOpen();
    if (to < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + ": " + to + " in " + path);
    }
    if (to > reader.sizeBytes()) {
      throw new EOFException(
          "%s: %d of %d in %s"
              .formatted(FSExceptionMessages.CANNOT_SEEK_PAST_EOF, to, reader.sizeBytes(), path));
    }
    position = to;
  }

  @Override
  public synchronized long getPos() throws IOException {
    return position;
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public synchronized int available() throws IOException {
    checkOpen();
    // Returns the remaining bytes of the file, as HDFS does. The JDK's GZIPInputStream treats 0 as
    // the end.
    return (int) Math.min(Integer.MAX_VALUE, reader.sizeBytes() - position);
  }

  @Override
  public synchronized void unbuffer() {
    vectored.pause();
    reader.release();
  }

  @Override
  public synchronized void close() {
    closed = true;
    vectored.close();
    reader.release();
  }

  @Override
  public boolean hasCapability(String capability) {
    return switch (capability.toLowerCase(Locale.ROOT)) {
      case StreamCapabilities.READAHEAD,
          StreamCapabilities.UNBUFFER,
          StreamCapabilities.IOSTATISTICS,
          "in:readvectored" ->
          true;
      default -> false;
    };
  }

  @Override
  public IOStatistics getIOStatistics() {
    return streamStatistics;
  }

  private void countRead(int bytes) {
    streamStatistics.incrementCounter(StreamStatisticNames.STREAM_READ_BYTES, bytes);
    if (statistics != null) {
      statistics.incrementBytesRead(bytes);
    }
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException(path + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }

  @Override
  public String toString() {
    return "PenstockInputStream{" + path + ", " + streamStatistics + "}";
  }
}
