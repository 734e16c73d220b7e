/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import io.penstock.core.recent.LogOnce;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, once for each output, about jobs and queries that move their files by renames, which are
 * slow and not atomic on S3. A session can change or unset the settings of the plugin without any
 * other notice.
 */
public final class RenameWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(RenameWarnings.class);

  /** Matches the directory that Hadoop's committer creates when a job begins. */
  private static final Pattern TEMPORARY = Pattern.compile("(.+?)/_temporary(?:/.*)?");

  /**
   * Matches the temporary name under which Spark's own checkpoint managers write a file. The group
   * is the final name.
   */
  private static final Pattern CHECKPOINT_FILE =
      Pattern.compile("\\.(.+)\\.[0-9a-f-]{36}(?:\\.TID\\d+)?\\.tmp");

  private static final String CHANGED_COMMITTER =
      "The committer comes from the output format (such as ParquetOutputFormat in"
          + " saveAsNewAPIHadoopFile), or from a setting of the session or the job:"
          + " spark.sql.sources.commitProtocolClass (changed or unset),"
          + " mapreduce.outputcommitter.factory.class, mapred.output.committer.class. Write with a"
          + " DataFrame or with a format that leaves the committer to Hadoop, and keep these"
          + " settings as the plugin sets them";

  private static final String NO_PLUGIN =
      "Penstock's plugin, which sets a committer without renames, is not loaded, or"
          + " penstock.spark.enabled=false switches it off: start the application with"
          + " spark.plugins=io.penstock.spark.PenstockPlugin. A --conf spark.plugins on the command"
          + " line replaces that of spark-defaults.conf, so it must name Penstock's plugin too";

  /** The directories that every query writes in its checkpoint. */
  private static final Set<String> LOGS = Set.of("offsets", "commits");

  private final LogOnce warnings;
  private final BooleanSupplier isPluginLoaded;

  /**
   * @param isPluginLoaded whether this process has the plugin, which sets Penstock's committers
   */
  public RenameWarnings(LogOnce warnings, BooleanSupplier isPluginLoaded) {
    this.warnings = warnings;
    this.isPluginLoaded = isPluginLoaded;
  }

  /** Warns if the new directory belongs to a committer that renames files. */
  public void making(Path directory) {
    Matcher temporary = TEMPORARY.matcher(directory.toString());
    if (temporary.matches() && warnings.isNew(temporary.group(1))) {
      LOG.warn(
          "{}: this job's committer renames files. On S3 a rename is a copy, and if the job fails"
              + " half way, readers see some of its files. {}",
          temporary.group(1),
          isPluginLoaded.getAsBoolean() ? CHANGED_COMMITTER : NO_PLUGIN);
    }
  }

  /** Warns if the renamed file belongs to a checkpoint that Spark's own manager writes. */
  public void renaming(Path source, Path target) {
    Path log = target.getParent();
    if (log == null || log.getParent() == null || !LOGS.contains(log.getName())) {
      return;
    }
    Matcher temporary = CHECKPOINT_FILE.matcher(source.getName());
    boolean isCheckpoint = temporary.matches() && temporary.group(1).equals(target.getName());
    if (isCheckpoint && warnings.isNew(log.getParent().toString())) {
      LOG.warn(
          "{}: this query writes its checkpoint by renaming files. On S3 a rename copies the file"
              + " and does not stop a second driver. spark.sql.streaming.checkpointFileManagerClass"
              + " was changed or unset in the session, or penstock.spark.checkpoint.enabled is"
              + " false. Leave both at their defaults",
          log.getParent());
    }
  }

  /** A file is renamed to a free name on a store without conditional writes. */
  void notExclusive(String bucket) {
    if (warnings.isNew("not exclusive " + bucket)) {
      LOG.warn(
          "s3://{}: this store has no conditional writes; if two processes rename files to the same"
              + " name at once, both may succeed, and one file replaces the other",
          bucket);
    }
  }
}
