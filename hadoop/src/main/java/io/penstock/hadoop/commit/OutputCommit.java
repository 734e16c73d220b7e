/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import io.penstock.core.commit.JobCommit;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseThread;
import io.penstock.core.commit.life.JobAbort;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.config.Settings;
import io.penstock.core.pool.Lanes;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.ObjectStore;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.change.OpenedStores;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The commit or abort of a job whose output is on a Penstock file system. It opens the buckets for
 * itself, so that a commit continues even if the file system is closed. A process that must end
 * waits for the commit, see {@link CommitHook}.
 */
public final class OutputCommit {
  private static final String MARK_SUCCESSFUL_JOBS =
      "mapreduce.fileoutputcommitter.marksuccessfuljobs";

  private final Engine engine;
  private final Settings settings;
  private final String jobId;
  private final String name;
  private final Lanes pool;
  private final JobCommit commit;
  private final OpenedStores opened;

  /**
   * @param output inside the bucket of {@code fs}; another path throws an IllegalArgumentException
   * @param jobId no other job has the same; it is in the names of the job's files
   * @param application the application of the job, for errors and {@code _SUCCESS}
   */
  public OutputCommit(PenstockFileSystem fs, Path output, String jobId, String application) {
    this.engine = fs.stack().engine();
    this.settings = HadoopSettings.of(fs.getConf());
    this.opened = new OpenedStores(engine, settings);
    Path qualified = fs.makeQualified(output);
    this.jobId = jobId;
    this.name = qualified + " (job " + jobId + ")";
    this.pool = fs.stack().pool();
    Means means =
        new Means(
            this::store,
            pool,
            engine.time(),
            CommitConfig.from(fs.stack().settings()),
            LeaseThread::start,
            engine.unansweredWrites());
    String user = user();
    String host = NetUtils.getLocalHostname();
    long pid = ProcessHandle.current().pid();
    this.commit =
        new JobCommit(
            means,
            Output.of(fs.store().bucket(), fs.key(qualified)),
            started -> new CommittingJob(jobId, application, user, host, pid, started));
  }

  private static String user() {
    try {
      return UserGroupInformation.getCurrentUser().getShortUserName();
    } catch (IOException e) {
      return CommittingJob.UNKNOWN; // It is for people, and no commit fails for it.
    }
  }

  private ObjectStore store(String bucket) throws IOException {
    return opened.of(bucket).commitStore();
  }

  /** Returns a store that retries for a shorter time, for work that may be left undone. */
  private ObjectStore ordinaryStore(String bucket) throws IOException {
    return opened.of(bucket).store();
  }

  /**
   * See {@link JobCommit#replace}.
   *
   * @throws IllegalArgumentException when the prefix is empty
   */
  public void replace(String bucket, String prefix) {
    commit.replace(bucket, prefix);
  }

  /**
   * See {@link JobCommit#replaceLevel}.
   *
   * @throws IllegalArgumentException when the prefix is empty
   */
  public void replaceLevel(String bucket, String prefix) {
    commit.replaceLevel(bucket, prefix);
  }

  /** See {@link JobCommit#requireAbsent}. */
  public void requireAbsent(String bucket, String prefix, boolean isIgnored) {
    commit.requireAbsent(bucket, prefix, isIgnored);
  }

  /** See {@link JobCommit#name}. */
  public void name(CommitId once) {
    commit.name(once);
  }

  /** See {@link JobCommit#record}. */
  public Optional<String> record(CommitId once) throws IOException {
    try {
      return commit.record(once);
    } finally {
      opened.close();
    }
  }

  /**
   * Waits for commits under way at the output, and ends those of drivers that have died. So a job
   * that looks at its output before it begins sees what is there, and nothing of a dead job.
   */
  public void settleBefore() throws IOException {
    try {
      commit.settleBefore();
    } finally {
      opened.close();
    }
  }

  /** Returns true if a commit of the job failed in this process and could not be undone. */
  public boolean hasLeftIntent() {
    return engine.jobs().isLeft(jobId);
  }

  /**
   * Commits the job, see {@link JobCommit#commit(Collection, SuccessMarker, OptionalLong)}.
   * Afterwards closes the buckets that it has opened; a later call opens them again.
   *
   * @param files all files of the job
   * @param rows the number of rows that the job has written; empty if nobody counted them
   * @param job the job's configuration
   * @throws IOException as {@link JobCommit#commit(Collection, SuccessMarker, OptionalLong)};
   *     failures of the store are not translated to Hadoop's
   * @throws java.io.InterruptedIOException when interrupted before all files are visible
   */
  public void commit(Collection<TaskFile> files, OptionalLong rows, Configuration job)
      throws IOException {
    SuccessMarker marker =
        job.getBoolean(MARK_SUCCESSFUL_JOBS, true)
            ? settings.get(CommitConfig.MARKER)
            : SuccessMarker.NONE;
    CommitHook.install(engine.jobs().commits());
    engine.jobs().commits().begin(name);
    try {
      commit.commit(files, marker, rows);
    } finally {
      if (commit.hasLeftIntent()) {
        engine.jobs().leave(jobId);
      }
      engine.jobs().commits().end(name);
      opened.close();
    }
  }

  /** Aborts the uploads of a failed job. Failures are only logged, see {@link JobAbort}. */
  public void abort(Collection<TaskFile> files) {
    try {
      new JobAbort(this::store, pool).abort(files);
    } finally {
      opened.close();
    }
  }

  /** See {@link JobAbort#abortAtKeysOf}. */
  public void abortAtKeysOf(Collection<TaskFile> files) {
    try {
      new JobAbort(this::ordinaryStore, pool).abortAtKeysOf(files, jobId);
    } finally {
      opened.close();
    }
  }

  /** See {@link JobAbort#abortByName}. */
  public void abortByName(String bucket, String prefix, String jobId) {
    try {
      new JobAbort(this::store, pool).abortByName(bucket, prefix, jobId);
    } finally {
      opened.close();
    }
  }
}
