/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.recent.LruCache;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.upload.InlineBudget;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The register of this process's jobs: the attempts of their tasks, their uploads, their commits,
 * and their ends. Every upload of a job has one owner at a time:
 *
 * <pre>
 *   a task attempt writes it -- drain --&gt; its job --- commit --&gt; the commit's intent, in the store
 *            | abort                        | ended ABORTED           | could not be undone
 *            v                              v                         v
 *         aborted                        aborted               left to recovery
 * </pre>
 *
 * <p>The file system adds a file here when the file is created under an attempt's segment. The
 * committer takes an attempt's files out when the task commits, or aborts them. Two attempts never
 * share a segment, so neither sees the files of the other.
 *
 * <p>Uploads that nobody else would abort are aborted when their job ends. Some are from tasks that
 * committed while the job was being aborted, so that the job does not know them. Others were
 * created although the answer to the request was lost. Not every store lists uploads by prefix, so
 * the process that made the uploads has to remember them. On an executor, the driver tells the end
 * of the job.
 *
 * <p>A thread of a task may continue to write after its attempt has ended. The files that it
 * creates then would stay forever, since nobody asks for the attempt again. So ended attempts are
 * remembered, and their files are refused. Safe for use by many threads.
 */
public final class Jobs {
  /**
   * The number of ended attempts that are remembered. A thread outlives its attempt by seconds, and
   * a process ends some 100 attempts in that time.
   */
  private static final int ENDED_ATTEMPTS_MAX = 10_000;

  /**
   * The number of ended jobs that are remembered. Executors ask every few seconds, long before a
   * job is forgotten.
   */
  private static final int ENDED_JOBS_MAX = 10_000;

  /**
   * The number of jobs whose uploads are kept until they end. Only a few jobs of a process run at
   * once. The uploads of a job beyond that still appear in listings of uploads.
   */
  private static final int REMEMBERED_JOBS_MAX = 1_000;

  private final Map<String, JobLife> lives = new HashMap<>();
  private final LruCache<String, Boolean> endedAttempts = new LruCache<>(ENDED_ATTEMPTS_MAX);
  private final LruCache<String, JobOutcome> outcomes = new LruCache<>(ENDED_JOBS_MAX);

  /** The jobs whose commits failed and could not be undone. */
  private final LruCache<String, Boolean> undecided = new LruCache<>(REMEMBERED_JOBS_MAX);

  private final LostCreations lostCreations;
  private final CommitsUnderWay commits = new CommitsUnderWay();
  private final AtomicLong tasksLost = new AtomicLong();

  public Jobs() {
    this(OrphanUploads::inTenSeconds);
  }

  Jobs(OrphanUploads.Later later) {
    this.lostCreations = new LostCreations(later);
  }

  // ---- task attempts

  /**
   * Begins an attempt whose files are all uploaded; see {@link #begin(Segment, InlineBudget)}. It
   * needs no end if it writes none.
   */
  public synchronized void begin(Segment segment) {
    endedAttempts.remove(segment.name());
  }

  /**
   * Begins an attempt. Spark may give a new attempt the name of one that has ended. Without this
   * call, the files of the new attempt would be refused.
   *
   * @param budget the bytes of small files that the attempt's message may carry; such files need no
   *     upload
   */
  public synchronized void begin(Segment segment, InlineBudget budget) {
    endedAttempts.remove(segment.name());
    life(segment.jobId()).begin(segment.attempt(), budget);
  }

  /**
   * Returns the bytes that the attempt's message may carry for a file. Only files whose names no
   * other job uses travel there: a PUT that arrives late must never hit a file of another job.
   */
  public synchronized InlineBudget budget(Segment segment, String key) {
    JobLife life = lives.get(segment.jobId());
    return life != null && Intent.isOwn(segment.jobId(), key)
        ? life.budget(segment.attempt())
        : InlineBudget.none();
  }

  /**
   * Adds a file. An earlier file of the same key and attempt is dropped, as an overwrite would do.
   *
   * @throws IOException if the attempt has ended, and then the file is dropped; or if the earlier
   *     file could not be dropped, and then the new one is added
   */
  public void add(Segment segment, PendingFile file) throws IOException {
    Optional<PendingFile> old = Optional.empty();
    boolean isLate;
    synchronized (this) {
      isLate = endedAttempts.get(segment.name()).isPresent();
      if (!isLate) {
        old = life(segment.jobId()).add(segment.attempt(), file);
        remember(segment.jobId());
      }
    }
    if (isLate) {
      throw PendingFile.dropAllAfter(refused(segment, file), List.of(file));
    }
    if (old.isPresent()) {
      old.get().writer().discard();
    }
  }

  private static IOException refused(Segment segment, PendingFile file) {
    return new IOException(
        ("%s is not written: its task attempt %s has been committed or aborted. No thread of a task"
                + " may write after the task's end")
            .formatted(file.at(), segment.attempt()));
  }

  /** Returns the attempt's file at a final key, open or closed; empty if it has none there. */
  public synchronized Optional<PendingFile> find(Segment segment, String bucket, String key) {
    JobLife life = lives.get(segment.jobId());
    return life == null
        ? Optional.empty()
        : life.find(segment.attempt(), new ObjectKey(bucket, key));
  }

  /** Returns the attempt's files in the bucket whose final key starts with the prefix. */
  public List<PendingFile> under(Segment segment, String bucket, String prefix) {
    return files(segment).stream()
        .filter(file -> file.bucket().equals(bucket) && file.key().startsWith(prefix))
        .toList();
  }

  private synchronized List<PendingFile> files(Segment segment) {
    JobLife life = lives.get(segment.jobId());
    return life == null ? List.of() : List.copyOf(life.files(segment.attempt()));
  }

  /**
   * Removes a file and drops its upload. Returns false if there was no such file.
   *
   * @throws IOException the failures of drops that ended within a second; the pool ends the others;
   *     see {@link io.penstock.core.upload.AbortQueue}
   */
  public boolean discard(Segment segment, String bucket, String key) throws IOException {
    Optional<PendingFile> removed = remove(segment, new ObjectKey(bucket, key));
    if (removed.isPresent()) {
      removed.get().writer().discard();
    }
    return removed.isPresent();
  }

  private synchronized Optional<PendingFile> remove(Segment segment, ObjectKey at) {
    JobLife life = lives.get(segment.jobId());
    return life == null ? Optional.empty() : life.remove(segment.attempt(), at);
  }

  /**
   * Waits until every part of the attempt's files is in the store. {@link #drain} does not wait
   * then. If one file failed, the attempt ends, all its uploads are dropped, and the failure is
   * thrown: not every caller aborts an attempt that failed. A file that is deleted or written anew
   * meanwhile is not waited for.
   *
   * @throws IOException when a file was not closed or could not be stored
   * @throws InterruptedIOException when interrupted or cancelled
   */
  public void awaitStored(Segment segment) throws IOException {
    try {
      for (PendingFile file : files(segment)) {
        awaitStored(segment, file);
      }
    } catch (IOException e) {
      throw PendingFile.dropAllAfter(e, end(segment));
    }
  }

  private synchronized boolean hasEnded(Segment segment) {
    return endedAttempts.get(segment.name()).isPresent();
  }

  private void awaitStored(Segment segment, PendingFile file) throws IOException {
    try {
      file.awaitStored();
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (hasEnded(segment) || files(segment).contains(file)) {
        throw e;
      }
    }
  }

  /**
   * Ends the attempt: waits until every part of its closed files is in the store, and hands over
   * the uploads to the job. If one file failed, all uploads are dropped and the failure is thrown.
   * The attempt has ended in any case. Returns no files for an attempt that has written none.
   *
   * @throws IOException when a file was not closed or could not be stored, or when the job was
   *     aborted meanwhile
   * @throws InterruptedIOException when interrupted or cancelled
   */
  public List<TaskFile> drain(Segment segment) throws IOException {
    List<PendingFile> pending = end(segment);
    List<TaskFile> files = new ArrayList<>();
    try {
      for (PendingFile file : pending) {
        files.add(file.await());
      }
      handOver(segment.jobId(), pending, files);
      return files;
    } catch (IOException e) {
      throw PendingFile.dropAllAfter(e, pending);
    }
  }

  private synchronized void handOver(String jobId, List<PendingFile> pending, List<TaskFile> files)
      throws IOException {
    if (files.isEmpty()) {
      return;
    }
    if (outcomes.get(jobId).equals(Optional.of(JobOutcome.ABORTED))) {
      throw new IOException("job " + jobId + " was aborted before its task could commit");
    }
    JobLife life = lives.get(jobId);
    if (life == null || !life.isRemembered()) {
      return;
    }
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i) instanceof TaskUpload upload) {
        life.handOver(pending.get(i).writer().store(), upload.pending());
      }
    }
  }

  /**
   * Ends the attempt and drops its uploads.
   *
   * @throws IOException the failures of drops that ended within a second; the pool ends the others;
   *     see {@link io.penstock.core.upload.AbortQueue}
   */
  public void abort(Segment segment) throws IOException {
    PendingFile.dropAll(end(segment));
  }

  /** Ends the attempt and returns its files. The attempt has no files from now on. */
  private synchronized List<PendingFile> end(Segment segment) {
    endedAttempts.put(segment.name(), true);
    JobLife life = lives.get(segment.jobId());
    if (life == null) {
      return List.of();
    }
    List<PendingFile> files = life.end(segment.attempt());
    forgetIfOver(segment.jobId(), life);
    return files;
  }

  private JobLife life(String jobId) {
    return lives.computeIfAbsent(jobId, id -> new JobLife());
  }

  /** Keeps the uploads that tasks hand over, unless the job has ended here or too many are kept. */
  private void remember(String jobId) {
    JobLife life = life(jobId);
    if (!life.isRemembered()
        && outcomes.get(jobId).isEmpty()
        && openJobs().size() < REMEMBERED_JOBS_MAX) {
      life.remember();
    }
  }

  private void forgetIfOver(String jobId, JobLife life) {
    if (life.isOver()) {
      lives.remove(jobId);
    }
  }

  /** Records that an upload of the key may have been created although nobody knows its id. */
  public synchronized void creationLost(ObjectStore store, String key) {
    if (outcomes.keys().stream().anyMatch(ended -> Intent.isOwn(ended, key))) {
      lostCreations.abortLater(Map.of(new ObjectKey(store.bucket(), key), store));
    } else {
      lostCreations.add(store, key);
    }
  }

  /** Returns the jobs that have written here and whose outcome is not known. */
  public synchronized Set<String> openJobs() {
    return lives.entrySet().stream()
        .filter(entry -> entry.getValue().isRemembered())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  // ---- commits and ends of jobs

  /** Returns the job commits that are under way, so that a shutdown can wait for them. */
  public CommitsUnderWay commits() {
    return commits;
  }

  /**
   * Records that the job's commit has failed and could not be undone: nobody may touch the uploads
   * of the job, because a later run completes them.
   */
  public void leave(String jobId) {
    undecided.put(jobId, true);
  }

  /** Returns true if the job's commit has failed and could not be undone. */
  public boolean isLeft(String jobId) {
    return undecided.get(jobId).isPresent();
  }

  /**
   * Records that a job has ended, and all its own requests with it. Removes what its tasks have
   * left in this process, and logs what cannot be removed. Makes its requests on the calling
   * thread. Uploads with unknown ids are looked for once more after ten seconds, on a thread of
   * their own.
   *
   * @param known files whose uploads the job itself has completed or aborted
   */
  public void ended(String jobId, JobOutcome outcome, Collection<TaskFile> known) {
    Map<Upload, ObjectStore> left;
    Map<ObjectKey, ObjectStore> doubtful;
    synchronized (this) {
      outcomes.put(jobId, outcome);
      left = takeHandedOver(jobId);
      doubtful = lostCreations.take(jobId);
    }
    if (outcome == JobOutcome.ABORTED && !left.isEmpty()) {
      TaskUpload.among(known).forEach(upload -> left.remove(upload.pending().upload()));
      left.forEach((upload, store) -> OrphanUploads.abort(store, upload));
    }
    if (!doubtful.isEmpty()) {
      LostCreations.abort(doubtful);
      lostCreations.abortLater(doubtful);
    }
  }

  /**
   * Returns how many looks for uploads with unknown ids are still to come or under way: each makes
   * requests in the background, after the end of its job.
   */
  public int looksToCome() {
    return lostCreations.looksToCome();
  }

  private Map<Upload, ObjectStore> takeHandedOver(String jobId) {
    JobLife life = lives.get(jobId);
    if (life == null) {
      return Map.of();
    }
    Map<Upload, ObjectStore> taken = life.takeHandedOver();
    life.dropIdleAttempts();
    forgetIfOver(jobId, life);
    return taken;
  }

  /** Returns the outcomes of those of the given jobs that have ended. */
  public Map<String, JobOutcome> outcomes(Collection<String> jobIds) {
    Map<String, JobOutcome> known = new LinkedHashMap<>();
    jobIds.forEach(id -> outcomes.get(id).ifPresent(outcome -> known.put(id, outcome)));
    return known;
  }

  /**
   * Counts a task that was lost with its process. Nobody removes the uploads that only this process
   * knew.
   */
  public void taskLost() {
    tasksLost.incrementAndGet();
  }

  /** Returns the number of tasks that were lost with their processes since this process began. */
  public long tasksLost() {
    return tasksLost.get();
  }

  /** Returns the number of jobs that take memory because they have not ended. */
  synchronized int size() {
    return lives.size();
  }

  /** Returns how many attempts have files. */
  synchronized int attemptsWithFiles() {
    return lives.values().stream().mapToInt(JobLife::attemptsWithFiles).sum();
  }

  /** Returns how many attempts are known to have ended. */
  int endedAttempts() {
    return endedAttempts.size();
  }
}
