/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.pool.FirstFailure;
import io.penstock.core.recent.Recent;
import io.penstock.core.store.Body;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.upload.Drops;
import io.penstock.core.upload.InlineBudget;
import io.penstock.core.upload.InlineContent;
import io.penstock.core.upload.PendingWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * Holds the pending uploads of the task attempts of this process, by the attempt's segment. The
 * file system adds a file here when the file is created under a segment. The committer takes an
 * attempt's files out when the task commits, or aborts them. Two attempts never share a segment, so
 * neither sees the files of the other.
 *
 * <p>A thread of a task may continue to write after its attempt has ended. The files that it
 * creates then would stay forever, since nobody asks for the attempt again. So ended attempts are
 * remembered, and their files are refused. Safe for use by many threads.
 */
public final class Ledger {
  /**
   * The number of ended attempts that are remembered. A thread outlives its attempt by seconds, and
   * a process ends some 100 attempts in that time.
   */
  private static final int ENDED_MAX = 10_000;

  /** Files in the order of their creation, by the attempt's segment. */
  private final Map<String, Map<String, Entry>> attempts = new HashMap<>();

  /** The bytes that each attempt's message may carry, by the attempt's segment. */
  private final Map<String, InlineBudget> budgets = new HashMap<>();

  private final Recent<String, Boolean> ended = new Recent<>(ENDED_MAX);
  private final Leftovers leftovers;

  Ledger() {
    this(new Leftovers());
  }

  /**
   * @param leftovers receives the uploads that tasks hand over to their jobs
   */
  public Ledger(Leftovers leftovers) {
    this.leftovers = leftovers;
  }

  /**
   * A file under a segment.
   *
   * @param key final key of the file, without the segment
   */
  public record Entry(String bucket, String key, PendingWriter writer) {
    /** Returns the number of bytes written so far. */
    public long sizeBytes() {
      return writer.writtenBytes();
    }
  }

  /**
   * Begins an attempt. Spark may give a new attempt the name of one that has ended. Without this
   * call, the files of the new attempt would be refused.
   */
  public void begin(Segment segment) {
    begin(segment, InlineBudget.none());
  }

  /**
   * Begins an attempt whose small files need no upload: their content travels in its message.
   *
   * @param budget the bytes that the message may carry
   */
  public synchronized void begin(Segment segment, InlineBudget budget) {
    ended.remove(segment.name());
    budgets.put(segment.name(), budget);
  }

  /**
   * Returns the bytes that the attempt's message may carry for a file. Only files whose names no
   * other job uses travel there: a PUT that arrives late must never hit a file of another job.
   */
  public synchronized InlineBudget budget(Segment segment, String key) {
    InlineBudget own = budgets.get(segment.name());
    return own != null && Intent.isOwn(segment.jobId(), key) ? own : InlineBudget.none();
  }

  /**
   * Adds a file. An earlier file of the same key and attempt is dropped, as an overwrite would do.
   *
   * @throws IOException if the attempt has ended, and then the file is dropped; or if the earlier
   *     file could not be dropped, and then the new one is added
   */
  public void add(Segment segment, Entry entry) throws IOException {
    Entry old = null;
    boolean isLate;
    synchronized (this) {
      isLate = ended.get(segment.name()).isPresent();
      if (!isLate) {
        Map<String, Entry> files =
            attempts.computeIfAbsent(segment.name(), name -> new LinkedHashMap<>());
        old = files.put(id(entry.bucket(), entry.key()), entry);
      }
    }
    leftovers.takesPart(segment.jobId());
    if (isLate) {
      throw discardAll(List.of(entry), refused(segment, entry));
    }
    if (old != null) {
      old.writer().discard();
    }
  }

  private static IOException refused(Segment segment, Entry entry) {
    return new IOException(
        ("s3://%s/%s is not written: its task attempt %s has been committed or aborted. Let no"
                + " thread of the task write after the task's end")
            .formatted(entry.bucket(), entry.key(), segment.attempt()));
  }

  /** Returns the attempt's file at a final key, open or closed; empty if it has none there. */
  public synchronized Optional<Entry> find(Segment segment, String bucket, String key) {
    return Optional.ofNullable(files(segment).get(id(bucket, key)));
  }

  /** Returns the attempt's files in the bucket whose final key starts with the prefix. */
  public List<Entry> under(Segment segment, String bucket, String prefix) {
    List<Entry> entries;
    synchronized (this) {
      entries = List.copyOf(files(segment).values());
    }
    return entries.stream()
        .filter(entry -> entry.bucket().equals(bucket) && entry.key().startsWith(prefix))
        .toList();
  }

  /**
   * Removes a file and drops its upload. Returns false if there was no such file.
   *
   * @throws IOException the failures of drops that ended within a second; the pool ends the others;
   *     see {@link Drops}
   */
  public boolean discard(Segment segment, String bucket, String key) throws IOException {
    Entry removed;
    synchronized (this) {
      Map<String, Entry> files = files(segment);
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
   * the uploads. If one file failed, all uploads are dropped and the failure is thrown. The attempt
   * has ended in any case. Returns no files for an attempt that has written none.
   *
   * @throws IOException when a file was not closed or could not be stored, or when the job was
   *     aborted meanwhile
   * @throws InterruptedIOException when interrupted or cancelled
   */
  public List<TaskFile> drain(Segment segment) throws IOException {
    List<Entry> entries = end(segment);
    List<TaskFile> files = new ArrayList<>();
    try {
      for (Entry entry : entries) {
        files.add(await(entry));
      }
      handOver(segment, entries, files);
      return files;
    } catch (IOException e) {
      throw discardAll(entries, e);
    }
  }

  private void handOver(Segment segment, List<Entry> entries, List<TaskFile> files)
      throws IOException {
    for (int i = 0; i < entries.size(); i++) {
      List<PendingUpload> own =
          files.get(i) instanceof TaskUpload upload ? List.of(upload.pending()) : List.of();
      leftovers.handOver(segment.jobId(), entries.get(i).writer().store(), own);
    }
  }

  /**
   * Ends the attempt and drops its uploads.
   *
   * @throws IOException the failures of drops that ended within a second; the pool ends the others;
   *     see {@link Drops}
   */
  public void abort(Segment segment) throws IOException {
    IOException failure = discardAll(end(segment), null);
    if (failure != null) {
      throw failure;
    }
  }

  /** Ends the attempt and returns its files. The attempt has no files from now on. */
  private synchronized List<Entry> end(Segment segment) {
    ended.put(segment.name(), true);
    budgets.remove(segment.name());
    Map<String, Entry> files = attempts.remove(segment.name());
    return files == null ? List.of() : List.copyOf(files.values());
  }

  private Map<String, Entry> files(Segment segment) {
    return attempts.getOrDefault(segment.name(), Map.of());
  }

  /** Returns how many attempts have files. */
  synchronized int size() {
    return attempts.size();
  }

  /** Returns how many attempts are known to have ended. */
  int endedSize() {
    return ended.size();
  }

  private static TaskFile await(Entry entry) throws IOException {
    try {
      if (!entry.writer().isClosed()) {
        throw new IOException(
            "s3://%s/%s was never closed, so its task cannot commit"
                .formatted(entry.bucket(), entry.key()));
      }
      Optional<InlineContent> inline = entry.writer().takeInline();
      if (inline.isPresent()) {
        InlineContent own = inline.get();
        Body body = Body.ofBytes(own.bytes());
        return new InlineFile(
            entry.bucket(), entry.key(), own.bytes().length, own.md5(), Optional.of(body));
      }
      return new TaskUpload(entry.bucket(), Cancellation.await(entry.writer().pending()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a task's uploads were under way");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  /** Drops all files at the same time: a throttling store must not be waited for file by file. */
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
