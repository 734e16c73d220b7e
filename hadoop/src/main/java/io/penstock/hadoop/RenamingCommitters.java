/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.recent.Once;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of jobs whose committer moves its files by renames: on S3 that is slow and not atomic. */
final class RenamingCommitters {
  private static final Logger LOG = LoggerFactory.getLogger(RenamingCommitters.class);

  /** The directory that Hadoop's committer makes when a job begins. */
  private static final Pattern TEMPORARY = Pattern.compile("(.+?)/_temporary(?:/.*)?");

  private RenamingCommitters() {}

  /** A directory is made: warns, once for each output, if it is that of such a committer. */
  static void notice(Path directory, Once warnings) {
    Matcher temporary = TEMPORARY.matcher(directory.toString());
    if (temporary.matches() && warnings.isNew(temporary.group(1))) {
      LOG.warn(
          "{}: this job's committer renames its files, which on S3 copies them, and shows a part of"
              + " them when the job fails half way. The output format brings it along, as"
              + " ParquetOutputFormat does in saveAsNewAPIHadoopFile, or a setting chose it. Write"
              + " by a DataFrame, or by a format that leaves the committer to Hadoop",
          temporary.group(1));
    }
  }
}
