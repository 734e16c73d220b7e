/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.PackedFiles;
import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskFiles;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.life.JobOutcome;
import io.penstock.core.commit.life.Jobs;
import io.penstock.core.stack.StoreStack;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.commit.OutputCommit;
import io.penstock.spark.once.WriteName;
import io.penstock.spark.plan.RunningWrite;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.spark.SparkEnv;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.internal.io.FileNameSpec;
import org.apache.spark.mapred.SparkHadoopMapRedUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Commits Spark SQL's file writes on S3 without a rename. Tasks upload directly to the final keys,
 * and the uploads stay pending. The driver completes the uploads when the job commits. The content
 * of a small file travels in its task's message instead, and the driver puts it when the job
 * commits. A large file costs three requests, a small one costs one, and there is no marker.
 * Nothing is visible before the commit, and nothing is left after an abort. The data that the write
 * replaces is deleted last.
 *
 * <p>Spark creates one instance on the driver and sends copies to the tasks. This class never gets
 * paths of other file systems, because {@link PenstockCommitProtocol} sends those to Spark's
 * protocol.
 */
@SuppressWarnings("overloads") // Spark 3.5 on Scala 2.12 calls the second commitJob.
final class S3CommitProtocol extends FileCommitProtocol implements java.io.Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(S3CommitProtocol.class);
  private static final String PARQUET_COMMITTER =
      "org.apache.parquet.hadoop.ParquetOutputCommitter";

  private final String jobId;
  private final String path;

  /** The counter of the tasks' rows; null without a Spark context. */
  private WrittenRows rows;

  /** Null in a task. */
  private final transient OldData oldData;

  /** The name under which the write commits once; null in a task, or before the job's set-up. */
  private transient WriteName name;

  private transient OutputCommit jobCommit;
  private transient PackedFiles.Builder committedByTasks;
  private transient PackedFiles committed;
  private transient long lostAtStart;

  /** Null on the driver. */
  private transient FileNames names;

  private transient Jobs jobs;

  /** The files that Spark asked for in this task; null on the driver. */
  private transient HandedOutFiles handedOut;

  // ---- on the driver

  /**
   * Made on the driver before Spark looks at the output; a task gets a copy without a call of this.
   */
  S3CommitProtocol(String jobId, String path, boolean isDynamicOverwrite) {
    this.jobId = jobId;
    this.path = path;
    this.oldData = OldData.of(path, isDynamicOverwrite);
    SneakyThrow.run(() -> oldData.settleBefore(this::jobCommit));
  }

  @Override
  public void setupJob(JobContext job) {
    lostAtStart = SneakyThrow.get(() -> jobs(fileSystem(job.getConfiguration())).tasksLost());
    rows = WrittenRows.begin();
    if (jobId.matches("[0-9]*")) {
      SneakyThrow.run(
          () -> {
            throw new IOException(
                "%s: a streaming query uses Penstock's commit protocol, which is only for batch jobs. Remove spark.sql.streaming.commitProtocolClass from the settings, so that Spark's default applies"
                    .formatted(path));
          });
    }
    SneakyThrow.run(() -> findName(fileSystem(job.getConfiguration()), job.getConfiguration()));
    SneakyThrow.run(() -> oldData.setupJob(fileSystem(job.getConfiguration())));
    String committer = job.getConfiguration().get("spark.sql.sources.outputCommitterClass", "");
    // Spark itself sets Parquet's committer, which adds nothing by default, so it needs no warning.
    if (!committer.isEmpty() && !committer.equals(PARQUET_COMMITTER)) {
      LOG.warn(
          "{}: {} is set as spark.sql.sources.outputCommitterClass or"
              + " spark.sql.parquet.output.committer.class, but not used: Penstock commits the job",
          path,
          committer);
    }
    if (name != null) {
      // Last, since Spark aborts no job whose set-up fails.
      SneakyThrow.run(() -> name.claim(new Path(path)));
    }
  }

  private void findName(PenstockFileSystem fs, Configuration conf) throws IOException {
    Optional<RunningWrite> write = RunningWrite.to(path);
    if (write.isPresent()) {
      name = WriteName.of(write.get(), new Path(path), application()).orElse(null);
    } else if (HadoopSettings.of(conf)
        .forBucket(fs.store().bucket())
        .get(CommitConfig.ID)
        .isPresent()) {
      throw new IOException(
          "%s: %s cannot name this write, because its plan is not one of Spark's file formats, or writes twice to this path. Unset it for this write"
              .formatted(path, WriteName.option()));
    }
    if (name != null) {
      jobCommit(fs).name(name.id());
    }
  }

  private static String application() {
    SparkEnv here = SparkEnv.get();
    return here == null ? "" : here.conf().get("spark.app.id", "");
  }

  /**
   * Marks the old data for deletion at job commit. Spark calls this even before it sets up the job,
   * but the old data must stay until the new data is there.
   */
  @Override
  public boolean deleteWithJob(FileSystem fs, Path old, boolean recursive) {
    SneakyThrow.run(
        () -> {
          // An old partition may be in another bucket than the table.
          OutputCommit commit = jobCommit(fileSystem(fs.getConf()));
          oldData.delete(commit, Ours.at(old, fs.getConf()), old);
        });
    return true;
  }

  @Override
  public void onTaskCommit(TaskCommitMessage message) {
    SneakyThrow.run(() -> committedByTasks().add(bytes(message)));
  }

  @Override
  public void commitJob(
      JobContext job, scala.collection.immutable.Seq<TaskCommitMessage> messages) {
    SneakyThrow.run(() -> commit(job, messages.iterator()));
  }

  public void commitJob(JobContext job, scala.collection.Seq<TaskCommitMessage> messages) {
    SneakyThrow.run(() -> commit(job, messages.iterator()));
  }

  private void commit(JobContext job, scala.collection.Iterator<TaskCommitMessage> messages)
      throws IOException {
    PenstockFileSystem fs = fileSystem(job.getConfiguration());
    PackedFiles.Builder all = new PackedFiles.Builder();
    while (messages.hasNext()) {
      all.add(bytes(messages.next()));
    }
    PackedFiles files = all.build();
    keepOnly(files);
    OutputCommit commit = jobCommit(fs);
    oldData.beforeCommit(commit, fs, files);
    commit.commit(files, WrittenRows.of(rows), job.getConfiguration());
    if (name != null) {
      name.ended();
    }
    jobs(fs).ended(segmentJobId(), JobOutcome.COMMITTED, files);
    if (jobs(fs).tasksLost() > lostAtStart) {
      abortWhatIsLeft(commit, fs, files);
    }
  }

  /**
   * Aborts the uploads of tasks that were lost with their process, including uploads to partitions
   * in other locations. No other process knows of these uploads.
   */
  private void abortWhatIsLeft(OutputCommit commit, PenstockFileSystem fs, PackedFiles files) {
    String base = base(fs);
    Set<OutputTable> elsewhere = new HashSet<>();
    for (TaskFile file : files) {
      String key = file.key();
      if (!file.bucket().equals(fs.store().bucket()) || !key.startsWith(base)) {
        elsewhere.add(new OutputTable(file.bucket(), key.substring(0, key.lastIndexOf('/') + 1)));
      }
    }
    commit.abortByName(fs.store().bucket(), base, jobId);
    elsewhere.forEach(place -> commit.abortByName(place.bucket(), place.prefix(), jobId));
    commit.abortAtKeysOf(files);
  }

  /** Returns the job's id in the form that the tasks' segments use. */
  private String segmentJobId() {
    return Segment.of(jobId, "job").jobId();
  }

  @Override
  public void abortJob(JobContext job) {
    if (name != null) {
      name.failed();
    }
    SneakyThrow.run(
        () -> {
          PenstockFileSystem fs = fileSystem(job.getConfiguration());
          PackedFiles known = known();
          if (jobCommit(fs).hasLeftIntent()) {
            return; // The run that completes the commit later needs the uploads.
          }
          jobCommit(fs).abort(known);
          jobCommit(fs).abortByName(fs.store().bucket(), base(fs), jobId);
          if (jobs(fs).tasksLost() > lostAtStart) {
            jobCommit(fs).abortAtKeysOf(known);
          }
          jobs(fs).ended(segmentJobId(), JobOutcome.ABORTED, known);
        });
  }

  private synchronized OutputCommit jobCommit(PenstockFileSystem fs) {
    if (jobCommit == null) {
      jobCommit = new OutputCommit(fs, new Path(path), jobId, application());
    }
    return jobCommit;
  }

  /** Keeps only these files, so that a huge job does not hold its files twice. */
  private synchronized void keepOnly(PackedFiles files) {
    committed = files;
    committedByTasks = null;
  }

  private synchronized PackedFiles known() {
    return committed == null ? committedByTasks().build() : committed;
  }

  private synchronized PackedFiles.Builder committedByTasks() {
    if (committedByTasks == null) {
      committedByTasks = new PackedFiles.Builder();
    }
    return committedByTasks;
  }

  private String base(PenstockFileSystem fs) {
    String key = fs.key(fs.makeQualified(new Path(path)));
    return key.isEmpty() ? "" : key + "/";
  }

  // ---- in the tasks

  @Override
  public void setupTask(TaskAttemptContext task) {
    // No directory is needed. If Spark ever uses an attempt's name again, the new attempt must be
    // able to write.
    jobs(task).begin(segment(task), InlineShare.of(stack(task).settings()));
    if (rows != null) {
      rows.countTask();
    }
  }

  @Override
  public String newTaskTempFile(TaskAttemptContext task, Option<String> dir, FileNameSpec spec) {
    String partition = dir.isDefined() ? dir.get() : "";
    Path shown = under(new Path(path), partition);
    return handOut(
        task, shown, partition, spec, under(new Path(path, segment(task).name()), partition));
  }

  private static Path under(Path path, String partition) {
    return partition.isEmpty() ? path : new Path(path, new Path(partition));
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester") // Spark calls it, nobody else
  public String newTaskTempFile(TaskAttemptContext task, Option<String> dir, String extension) {
    return newTaskTempFile(task, dir, new FileNameSpec("", extension));
  }

  /** Returns a file in a partition that has its own location, which may be in another bucket. */
  @Override
  public String newTaskTempFileAbsPath(
      TaskAttemptContext task, String directory, FileNameSpec spec) {
    Path location = new Path(directory);
    return handOut(task, location, "", spec, new Path(location, segment(task).name()));
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester") // Spark calls it, nobody else
  public String newTaskTempFileAbsPath(TaskAttemptContext task, String dir, String extension) {
    return newTaskTempFileAbsPath(task, dir, new FileNameSpec("", extension));
  }

  /**
   * Names a file. Fails if Penstock does not serve the path. An executor takes its file systems
   * from a cache that ignores the configuration. If the cache has another file system, the task's
   * files would stay under the segment's name for ever. So the task must not start.
   *
   * @param shown the directory in which the file will be
   * @param pending the directory in which the task writes it
   */
  private synchronized String handOut(
      TaskAttemptContext task, Path shown, String partition, FileNameSpec spec, Path pending) {
    return SneakyThrow.get(
        () -> {
          PenstockFileSystem fs = Ours.at(shown, task.getConfiguration());
          String name = names().next(task, fs, shown, partition, spec);
          if (handedOut == null) {
            handedOut = new HandedOutFiles();
          }
          return handedOut.add(fs, new Path(pending, name));
        });
  }

  @Override
  public TaskCommitMessage commitTask(TaskAttemptContext task) {
    TaskID id = task.getTaskAttemptID().getTaskID();
    AttemptCommitter committer = new AttemptCommitter(jobs(task), segment(task));
    // Asks the driver's coordinator: only one of two attempts of a task may commit.
    SparkHadoopMapRedUtil.commitTask(committer, task, id.getJobID().getId(), id.getId());
    if (handedOut != null) {
      SneakyThrow.run(
          () -> handedOut.refuseWritesPastUs(committer.files(), task.getConfiguration()));
    }
    return new TaskCommitMessage(new TaskFiles(committer.files()).toBytes());
  }

  @Override
  public void abortTask(TaskAttemptContext task) {
    SneakyThrow.run(() -> new AttemptCommitter(jobs(task), segment(task)).abortTask(task));
  }

  private synchronized Jobs jobs(TaskAttemptContext task) {
    if (jobs == null) {
      jobs = stack(task).engine().jobs();
    }
    return jobs;
  }

  private StoreStack stack(TaskAttemptContext task) {
    return SneakyThrow.get(() -> fileSystem(task.getConfiguration())).stack();
  }

  private Segment segment(TaskAttemptContext task) {
    return Segment.of(jobId, task.getTaskAttemptID().toString());
  }

  private synchronized FileNames names() {
    if (names == null) {
      names = new FileNames(jobId);
    }
    return names;
  }

  // ---- both

  private static Jobs jobs(PenstockFileSystem fs) {
    return fs.stack().engine().jobs();
  }

  private PenstockFileSystem fileSystem(Configuration conf) throws IOException {
    return Ours.at(new Path(path), conf);
  }

  private static byte[] bytes(TaskCommitMessage message) {
    return (byte[]) message.obj();
  }
}
