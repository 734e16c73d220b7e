/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.once;

import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.commit.OutputCommit;
import io.penstock.spark.plan.RunningWrite;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Range$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;

/**
 * Plans nothing for a write whose commit has happened before under the name that its user gave.
 * Finds the names of batches' writes while their thread is known.
 */
final class OnceStrategy extends SparkStrategy implements OnceExtension.StrategyOfScala212 {
  private static final Logger LOG = LoggerFactory.getLogger(OnceStrategy.class);

  @Override
  @SuppressWarnings("unchecked")
  public List<SparkPlan> apply(LogicalPlan plan) {
    List<SparkPlan> none = (List<SparkPlan>) (List<?>) List$.MODULE$.empty();
    if (!(plan instanceof InsertIntoHadoopFsRelationCommand write)) {
      return none;
    }
    String scheme = write.outputPath().toUri().getScheme();
    boolean isS3 = "s3".equals(scheme) || "s3a".equals(scheme);
    return isS3 && hasHappened(write.outputPath().toString())
        ? none.$colon$colon(planLater(nothing()))
        : none;
  }

  /** Returns a query without rows, whose form is the same in all versions of Spark. */
  private static LogicalPlan nothing() {
    return Range$.MODULE$.apply(0, 0, 1, 1);
  }

  /** Returns false also if that is not known: then the commit decides. */
  private static boolean hasHappened(String path) {
    try {
      Optional<RunningWrite> write = RunningWrite.to(path);
      if (write.isEmpty()) {
        return false;
      }
      Path output = new Path(path);
      scala.Option<SparkContext> spark = SparkContext$.MODULE$.getActive();
      String application = spark.isEmpty() ? "" : spark.get().applicationId();
      Optional<WriteName> name = WriteName.of(write.get(), output, application);
      if (name.isEmpty() || !name.get().mayBeLeftOut() || !write.get().isOnlyRows()) {
        return false;
      }
      Optional<PenstockFileSystem> fs =
          PenstockFileSystem.behind(output.getFileSystem(write.get().configuration()));
      if (fs.isEmpty()) {
        return false;
      }
      Optional<String> record =
          new OutputCommit(fs.get(), output, "-", application).record(name.get().id());
      if (record.isEmpty()) {
        return false;
      }
      LOG.warn(
          "{}: the commit '{}' has happened before, so this write is left out: {}",
          path,
          name.get().id(),
          record.get());
      name.get().ended();
      return true;
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("{}: whether this write has happened before is not known yet", path, e);
      return false;
    }
  }
}
