/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import io.penstock.core.upload.ObjectWriter;
import io.penstock.hadoop.tree.Failures;
import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** A checkpoint file that is being uploaded to S3. */
final class ObjectOutput extends AtomicOutput {
  private final Path file;
  private final ObjectWriter writer;
  private final Progress progress;
  private boolean ended;

  ObjectOutput(Path file, ObjectWriter writer, Progress progress) {
    this.file = file;
    this.writer = writer;
    this.progress = progress;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      writer.write(bytes, offset, length);
    } catch (IOException e) {
      throw Failures.translate(file.toString(), e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    try {
      writer.close();
    } catch (IOException e) {
      progress.forget(file);
      throw Failures.translate(file.toString(), e);
    }
    progress.wrote(file);
  }

  @Override
  public synchronized void cancel() throws IOException {
    ended = true;
    writer.abort();
  }
}
