/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;

/** The factory for {@code mapreduce.outputcommitter.factory.scheme.s3}, and for s3a. */
public final class PenstockCommitterFactory extends PathOutputCommitterFactory {
  @Override
  public PathOutputCommitter createOutputCommitter(Path output, TaskAttemptContext context)
      throws IOException {
    JobFiles files =
        JobFiles.of(output, context.getConfiguration())
            .orElseThrow(
                () ->
                    new IOException(
                        "%s is not served by Penstock: set fs.%s.impl to io.penstock.hadoop.PenstockFileSystem, or start Spark with the plugin"
                            .formatted(output, output.toUri().getScheme())));
    return new PenstockCommitter(output, files, context);
  }
}
