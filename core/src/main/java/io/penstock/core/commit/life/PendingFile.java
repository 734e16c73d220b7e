/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.pool.FirstFailure;
import io.penstock.core.store.Body;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.upload.AbortQueue;
import io.penstock.core.upload.InlineContent;
import io.penstock.core.upload.PendingWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * A file that a task attempt of this process has created and not committed.
 *
 * @param key final key of the file, without the attempt's segment
 */
public record PendingFile(String bucket, String key, PendingWriter writer) {
  /** Returns the number of bytes written so far. */
  public long sizeBytes() {
    return writer.writtenBytes();
  }

  ObjectKey at() {
    return new ObjectKey(bucket, key);
  }

  /**
   * Waits until every part of the file is in the store, and returns what its job needs to know.
   *
   * @throws IOException when the file was not closed or could not be stored
   * @throws InterruptedIOException when interrupted or cancelled
   */
  TaskFile await() throws IOException {
    requireClosed();
    try {
      Optional<InlineContent> inline = writer.takeInline();
      if (inline.isPresent()) {
        InlineContent own = inline.get();
        Body body = Body.ofBytes(own.bytes());
        return new InlineFile(bucket, key, own.bytes().length, own.md5(), Optional.of(body));
      }
      return new TaskUpload(bucket, pending());
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /**
   * Waits until every part of the file is in the store. Does not wait for a file whose content
   * travels in its task's message.
   *
   * @throws IOException when the file was not closed or could not be stored
   * @throws InterruptedIOException when interrupted or cancelled
   */
  void awaitStored() throws IOException {
    requireClosed();
    if (writer.isInline()) {
      return;
    }
    try {
      pending();
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private void requireClosed() throws IOException {
    if (!writer.isClosed()) {
      throw new IOException(at() + " was never closed, so its task cannot commit");
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while a task's uploads were under way");
  }

  private PendingUpload pending() throws IOException, InterruptedException {
    try {
      return Cancellation.await(writer.pending());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  /**
   * Drops all files at the same time: a throttling store must not be waited for file by file.
   *
   * @throws IOException the failures of drops that ended within a second; the pool ends the others;
   *     see {@link AbortQueue}
   */
  static void dropAll(Collection<PendingFile> files) throws IOException {
    AbortQueue.await(files.stream().map(file -> file.writer().drop()).toList());
  }

  /** Drops all files because of a failure. Returns the failure, with those of the drops in it. */
  static IOException dropAllAfter(IOException failure, Collection<PendingFile> files) {
    FirstFailure failures = new FirstFailure();
    failures.add(failure);
    try {
      dropAll(files);
    } catch (IOException e) {
      failures.add(e);
    }
    return failures.toException();
  }
}
