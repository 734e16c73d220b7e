/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.recent.Once;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, once for each output, of jobs and queries whose files are moved by renames: on S3 that is
 * slow and not atomic. A session may set what the plugin has set to something else, or unset it,
 * and nobody is told.
 */
final class RenameWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(RenameWarnings.class);

  /** The directory that Hadoop's committer makes when a job begins. */
  private static final Pattern TEMPORARY = Pattern.compile("(.+?)/_temporary(?:/.*)?");

  /** The name under which Spark's own checkpoint managers write a file, and the file's. */
  private static final Pattern CHECKPOINT_FILE =
      Pattern.compile("\\.(.+)\\.[0-9a-f-]{36}(?:\\.TID\\d+)?\\.tmp");

  /** The directories of a checkpoint that every query writes. */
  private static final Set<String> LOGS = Set.of("offsets", "commits");

  private final Once warnings;

  RenameWarnings(Once warnings) {
    this.warnings = warnings;
  }

  /** A directory is made: warns if it is that of a committer that renames. */
  void making(Path directory) {
    Matcher temporary = TEMPORARY.matcher(directory.toString());
    if (temporary.matches() && warnings.isNew(temporary.group(1))) {
      LOG.warn(
          "{}: this job's committer renames its files, which on S3 copies them, and shows a part of"
              + " them when the job fails half way. The output format brings it along, as"
              + " ParquetOutputFormat does in saveAsNewAPIHadoopFile, or a setting of the session"
              + " or the job chose it: spark.sql.sources.commitProtocolClass (set or unset),"
              + " mapreduce.outputcommitter.factory.class, mapred.output.committer.class. Write by"
              + " a DataFrame, or by a format that leaves the committer to Hadoop, and leave these"
              + " as the plugin sets them",
          temporary.group(1));
    }
  }

  /** A file is renamed: warns if it is one of a checkpoint that Spark's own manager writes. */
  void renaming(Path source, Path target) {
    Path log = target.getParent();
    if (log == null || log.getParent() == null || !LOGS.contains(log.getName())) {
      return;
    }
    Matcher temporary = CHECKPOINT_FILE.matcher(source.getName());
    boolean isCheckpoint = temporary.matches() && temporary.group(1).equals(target.getName());
    if (isCheckpoint && warnings.isNew(log.getParent().toString())) {
      LOG.warn(
          "{}: this query writes its checkpoint by renames, which on S3 copy each file and do not"
              + " stop a second driver. spark.sql.streaming.checkpointFileManagerClass was set or"
              + " unset in the session, or penstock.spark.checkpoint.enabled is false. Leave both as"
              + " they are by default",
          log.getParent());
    }
  }
}
