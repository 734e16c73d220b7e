/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.s3a;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.s3a.impl.streams.InputStreamType;
import org.apache.hadoop.fs.s3a.impl.streams.ObjectInputStream;
import org.apache.hadoop.fs.s3a.impl.streams.ObjectReadParameters;

/** A stream of Penstock's file system in the form that S3A wants. */
final class PenstockObjectStream extends ObjectInputStream implements CanUnbuffer {
  private final FSDataInputStream inner;
  private volatile boolean isClosed;

  PenstockObjectStream(ObjectReadParameters parameters, FSDataInputStream inner) {
    super(InputStreamType.Custom, parameters);
    this.inner = inner;
  }

  /** Tells S3A's statistics; Penstock's file system tells those of Hadoop and of Spark. */
  private int counted(int count) {
    if (count > 0) {
      getS3AStreamStatistics().bytesRead(count);
    }
    return count;
  }

  @Override
  public int read() throws IOException {
    int one = inner.read();
    counted(one < 0 ? 0 : 1);
    return one;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return counted(inner.read(into, offset, length));
  }

  @Override
  public int read(long from, byte[] into, int offset, int length) throws IOException {
    return counted(inner.read(from, into, offset, length));
  }

  @Override
  public void readFully(long from, byte[] into, int offset, int length) throws IOException {
    inner.readFully(from, into, offset, length);
    counted(length);
  }

  @Override
  public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
      throws IOException {
    inner.readVectored(ranges, allocate);
    ranges.forEach(range -> counted(range.getLength()));
  }

  @Override
  public int minSeekForVectorReads() {
    return inner.minSeekForVectorReads();
  }

  @Override
  public int maxReadSizeForVectorReads() {
    return inner.maxReadSizeForVectorReads();
  }

  @Override
  public void seek(long position) throws IOException {
    inner.seek(position);
  }

  @Override
  public long getPos() throws IOException {
    return inner.getPos();
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public int available() throws IOException {
    return inner.available();
  }

  @Override
  public void unbuffer() {
    inner.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return super.hasCapability(capability) || inner.hasCapability(capability);
  }

  @Override
  protected boolean isStreamOpen() {
    return !isClosed;
  }

  @Override
  protected void abortInFinalizer() {
    try {
      close();
    } catch (IOException e) {
      // The reader is gone; nobody can be told.
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!isClosed) {
      isClosed = true;
      try {
        inner.close();
      } finally {
        super.close();
      }
    }
  }
}
