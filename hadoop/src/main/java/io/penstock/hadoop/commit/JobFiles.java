/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import io.penstock.core.commit.files.PackedFiles;
import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskFiles;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.life.JobOutcome;
import io.penstock.core.commit.life.Jobs;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.keys.Keys;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.hadoop.OutputPaths;
import io.penstock.hadoop.PenstockFileSystem;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit of a Hadoop job whose tasks cannot send a message to the job. Each task writes its
 * pending uploads into one small object under {@code DEST/_penstock_JOB/}. The job commit reads and
 * deletes these objects. Each task costs one PUT and one GET, the job one PUT. Readers ignore names
 * with a leading underscore.
 */
final class JobFiles {
  /** Larger than any real task's list. One PUT could hold up to 5 GiB. */
  private static final long MAX_LIST_BYTES = 1L << 30;

  /** Spark's setting, as it is in Hadoop's configuration. */
  private static final String VALIDATE = "validateOutputSpecs";

  /** The id of the job that found no data at its output when it began. */
  private static final String FOUND_NO_DATA = "io.penstock.job.found.no.data";

  /** The beginning of names that are not data. */
  private static final String OWN = "_penstock_";

  /** The page size of a look at the output. The first key is data, unless a job died here. */
  private static final int PROBE_KEYS = 50;

  /** The name of an empty object that is there from the job's beginning to its end. */
  private static final String BEGUN = "_begun";

  private static final Logger LOG = LoggerFactory.getLogger(JobFiles.class);

  private final PenstockFileSystem fs;
  private final Path output;
  private final String base;

  private JobFiles(PenstockFileSystem fs, Path output) {
    this.fs = fs;
    this.output = output;
    String key = fs.key(output);
    this.base = key.isEmpty() ? "" : key + "/";
  }

  /** Returns the files of a job if Penstock serves its output path; otherwise returns empty. */
  static Optional<JobFiles> of(Path output, Configuration conf) throws IOException {
    FileSystem fs = output.getFileSystem(conf);
    Optional<PenstockFileSystem> ours = PenstockFileSystem.behind(fs);
    if (ours.isPresent()) {
      return Optional.of(new JobFiles(ours.get(), fs.makeQualified(output)));
    }
    String scheme = fs.makeQualified(output).toUri().getScheme();
    if (scheme.equals("s3") || scheme.equals("s3a")) {
      // If only some tasks committed by rename, the files of one kind would be lost.
      throw new IOException(
          "%s is served by %s on this node: set fs.%s.impl=io.penstock.hadoop.PenstockFileSystem everywhere, or take hadoop-aws off the class path"
              .formatted(output, fs.getClass().getName(), scheme));
    }
    return Optional.empty();
  }

  /** Returns the directory in which a task attempt's files stay pending. */
  Path workPath(TaskAttemptContext task) {
    return new Path(output, segment(task).name());
  }

  /**
   * Returns true if the attempt has files, once their uploads are in the store. Spark and MapReduce
   * call this before they ask who may commit. An attempt that has the permission and waits for a
   * slow store keeps all copies of its task from committing.
   */
  boolean needsCommit(TaskAttemptContext task) throws IOException {
    Segment segment = segment(task);
    if (jobs().under(segment, fs.store().bucket(), base).isEmpty()) {
      return false;
    }
    jobs().awaitStored(segment);
    return true;
  }

  /**
   * Refuses an output that is an object. Looks whether the output has data, and keeps the answer in
   * the job's configuration: the same job must find no data at its commit if it found none here.
   *
   * <p>A job whose output Hadoop has validated writes to a new directory. Spark's streaming jobs
   * turn the validation off where this module cannot see it, and a batch that is run again finds
   * its own data. Such a job, and one that sets {@value #VALIDATE} to false, writes in place: its
   * files replace those of the same names.
   */
  void setupJob(JobContext job) throws IOException {
    OutputPaths.requireNoFile(fs, output);
    Configuration conf = job.getConfiguration();
    if (HadoopSettings.of(conf).forBucket(fs.store().bucket()).get(CommitConfig.ID).isPresent()) {
      throw new IOException(
          "%s: %s names writes of Spark SQL only, and this job is none. Unset it for this job"
              .formatted(output, CommitConfig.ID.fullName()));
    }
    if (!base.isEmpty() && conf.getBoolean(VALIDATE, true) && !hasData()) {
      conf.set(FOUND_NO_DATA, job.getJobID().toString());
    } else {
      conf.unset(FOUND_NO_DATA); // A user's JobConf may serve several jobs.
    }
    store().put(pendingPrefix(job) + BEGUN, Body.empty(), Condition.NONE);
  }

  /**
   * Returns the objects with the lists of the tasks' files.
   *
   * @throws IOException if the mark of the job's beginning is gone: whoever has deleted or renamed
   *     the directory since may have taken lists of tasks with it
   */
  private List<ObjectMeta> lists(JobContext job) throws IOException {
    List<ObjectMeta> all = Keys.under(store(), pendingPrefix(job));
    if (all.stream().noneMatch(JobFiles::isBegun)) {
      throw new IOException(
          "%s: the directory was deleted or renamed while the job %s ran, and the lists of its tasks' files were lost with it. No file of the job is visible. Run the job again"
              .formatted(output, job.getJobID()));
    }
    return all;
  }

  private static boolean isBegun(ObjectMeta object) {
    return object.key().endsWith("/" + BEGUN);
  }

  private boolean hasData() throws IOException {
    ListRequest request = ListRequest.level(base).limit(PROBE_KEYS);
    while (true) {
      ListPage page = store().list(request);
      if (page.groups().stream().anyMatch(this::isData)
          || page.objects().stream().map(ObjectMeta::key).anyMatch(this::isData)) {
        return true;
      }
      if (page.nextToken().isEmpty()) {
        return false;
      }
      request = request.next(page.nextToken().get());
    }
  }

  /** Returns false for the directory's marker and for what Penstock itself puts there. */
  private boolean isData(String key) {
    return !key.equals(base) && !key.startsWith(base + OWN);
  }

  /** Begins a task attempt. An earlier attempt of the same name may have ended. */
  void setupTask(TaskAttemptContext task) {
    jobs().begin(segment(task));
  }

  void commitTask(TaskAttemptContext task) throws IOException {
    List<TaskFile> uploads = jobs().drain(segment(task));
    String key = pendingPrefix(task) + task.getTaskAttemptID().getTaskID();
    try {
      store().put(key, Body.ofBytes(new TaskFiles(uploads).toBytes()), Condition.NONE);
    } catch (IOException e) {
      outputCommit(task).abort(uploads);
      throw e;
    }
  }

  void abortTask(TaskAttemptContext task) throws IOException {
    jobs().abort(segment(task));
  }

  void commitJob(JobContext job) throws IOException {
    List<ObjectMeta> lists = lists(job);
    PackedFiles uploads = uploads(lists);
    OutputCommit commit = outputCommit(job);
    if (job.getJobID().toString().equals(job.getConfiguration().get(FOUND_NO_DATA))) {
      commit.requireAbsent(fs.store().bucket(), base, false);
    }
    commit.commit(uploads, OptionalLong.empty(), job.getConfiguration());
    deleteOrWarn(lists);
    jobs().ended(segmentJobId(job), JobOutcome.COMMITTED, uploads);
  }

  void abortJob(JobContext job) throws IOException {
    OutputCommit commit = outputCommit(job);
    if (commit.hasLeftIntent()) {
      return; // The run that completes the commit later needs the uploads.
    }
    List<ObjectMeta> lists = Keys.under(store(), pendingPrefix(job));
    PackedFiles uploads = uploads(lists);
    commit.abort(uploads);
    delete(lists);
    jobs().ended(segmentJobId(job), JobOutcome.ABORTED, uploads);
  }

  /** Returns the job's id in the form that its tasks' segments use. */
  private static String segmentJobId(JobContext job) {
    return Segment.of(job.getJobID().toString(), "job").jobId();
  }

  private PackedFiles uploads(List<ObjectMeta> lists) throws IOException {
    PackedFiles.Builder uploads = new PackedFiles.Builder();
    Range whole = new SuffixRange(MAX_LIST_BYTES);
    Parallel.untilFailureIn(
        list -> fs.stack().readsOf(list.key()),
        lists.stream().filter(list -> !isBegun(list)).toList(),
        list -> {
          byte[] bytes = store().get(list.key(), whole, Optional.of(list.etag())).bytes();
          uploads.add(bytes);
        });
    return uploads.build();
  }

  /**
   * Deletes the lists, and only logs a failure. The job has committed: lists that stay are hidden,
   * and they are no reason to run the job again.
   */
  private void deleteOrWarn(List<ObjectMeta> lists) {
    try {
      delete(lists);
    } catch (IOException e) {
      LOG.warn(
          "{}: the job has committed, but some hidden files that list its uploads could not be"
              + " deleted",
          output,
          e);
    }
  }

  private void delete(List<ObjectMeta> lists) throws IOException {
    Keys.deleteAll(store(), lists.stream().map(ObjectMeta::key).toList(), fs.stack().pool());
  }

  private OutputCommit outputCommit(JobContext job) {
    return new OutputCommit(fs, output, segmentJobId(job), "-");
  }

  private Jobs jobs() {
    return fs.stack().engine().jobs();
  }

  private ObjectStore store() {
    return fs.commitStore();
  }

  private String pendingPrefix(JobContext job) {
    return base + OWN + job.getJobID() + "/";
  }

  /**
   * Returns the attempt's segment, which includes the thread. When Spark submits a stage of an RDD
   * again, the attempt numbers of its tasks start again. So two attempts with the same id may run
   * in one process. Each attempt keeps to one thread from its set-up to its commit.
   */
  private static Segment segment(TaskAttemptContext task) {
    TaskAttemptID attempt = task.getTaskAttemptID();
    String unique = attempt + "-" + Thread.currentThread().getId();
    return Segment.of(attempt.getJobID().toString(), unique);
  }
}
