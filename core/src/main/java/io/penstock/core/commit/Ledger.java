/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.pool.FirstFailure;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.upload.Drops;
import io.penstock.core.upload.PendingWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * The uploads that the task attempts of this process have pending, by the attempt's segment. The
 * file system books a file here when it is created under a segment; the committer drains the
 * attempt when its task commits, or aborts it. Two attempts never share a segment, so neither sees
 * the other.
 */
public final class Ledger {
  private static final Ledger PROCESS = new Ledger();

  private final Map<String, Map<String, Entry>> attempts = new ConcurrentHashMap<>();

  /**
   * A file under a segment.
   *
   * @param key the final one
   */
  public record Entry(String bucket, String key, PendingWriter writer) {
    public long sizeBytes() {
      return writer.writtenBytes();
    }
  }

  /** The one that file systems and committers of this process share. */
  public static Ledger process() {
    return PROCESS;
  }

  /** Books a file; an earlier one of the same key and attempt is dropped, as an overwrite would. */
  public void add(Segment segment, Entry entry) throws IOException {
    Map<String, Entry> files =
        attempts.computeIfAbsent(segment.name(), name -> new LinkedHashMap<>());
    Entry old;
    synchronized (files) {
      old = files.put(id(entry.bucket(), entry.key()), entry);
    }
    if (old != null) {
      old.writer().discard();
    }
  }

  public Optional<Entry> find(Segment segment, String bucket, String key) {
    Map<String, Entry> files = attempts.getOrDefault(segment.name(), Map.of());
    synchronized (files) {
      return Optional.ofNullable(files.get(id(bucket, key)));
    }
  }

  /** The attempt's files in the bucket whose final key starts with the prefix. */
  public List<Entry> under(Segment segment, String bucket, String prefix) {
    return entries(segment).stream()
        .filter(entry -> entry.bucket().equals(bucket) && entry.key().startsWith(prefix))
        .toList();
  }

  /** Takes a file out and drops its upload; false when it was not there. */
  public boolean discard(Segment segment, String bucket, String key) throws IOException {
    Map<String, Entry> files = attempts.getOrDefault(segment.name(), Map.of());
    Entry removed;
    synchronized (files) {
      removed = files.isEmpty() ? null : files.remove(id(bucket, key));
    }
    if (removed == null) {
      return false;
    }
    removed.writer().discard();
    return true;
  }

  /**
   * Ends the attempt: waits until every part of its closed files is in the store, and hands over
   * the uploads. When one failed, all are dropped and the failure is thrown.
   */
  public List<TaskUpload> drain(Segment segment) throws IOException {
    Map<String, Entry> files = attempts.remove(segment.name());
    if (files == null) {
      return List.of();
    }
    List<Entry> entries = List.copyOf(files.values());
    List<TaskUpload> uploads = new ArrayList<>();
    try {
      for (Entry entry : entries) {
        uploads.add(new TaskUpload(entry.bucket(), await(entry)));
      }
      return uploads;
    } catch (IOException e) {
      throw discardAll(entries, e);
    }
  }

  /** Ends the attempt and drops its uploads; does nothing when it has none. */
  public void abort(Segment segment) throws IOException {
    Map<String, Entry> files = attempts.remove(segment.name());
    if (files != null) {
      IOException failure = discardAll(files.values(), null);
      if (failure != null) {
        throw failure;
      }
    }
  }

  private List<Entry> entries(Segment segment) {
    Map<String, Entry> files = attempts.getOrDefault(segment.name(), Map.of());
    synchronized (files) {
      return List.copyOf(files.values());
    }
  }

  private static PendingUpload await(Entry entry) throws IOException {
    try {
      if (!entry.writer().isClosed()) {
        throw new IOException(
            "s3://%s/%s was never closed, so its task cannot commit"
                .formatted(entry.bucket(), entry.key()));
      }
      return Cancellation.await(entry.writer().pending());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a task's uploads were under way");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  /** Drops them all at once: a store that throttles must not be waited for file by file. */
  private static IOException discardAll(Collection<Entry> entries, IOException failure) {
    FirstFailure failures = new FirstFailure();
    if (failure != null) {
      failures.add(failure);
    }
    try {
      Drops.await(entries.stream().map(entry -> entry.writer().drop()).toList());
    } catch (IOException e) {
      failures.add(e);
    }
    return failures.toException();
  }

  private static String id(String bucket, String key) {
    return bucket + "/" + key;
  }
}
