/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.once;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * The class for {@code spark.sql.extensions}, which the plugin adds there. With it, a write whose
 * commit has happened is not even computed. Without it, the write is computed, and makes nothing
 * visible.
 */
public final class OnceExtension extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  /** A strategy as it is with Scala 2.12, for which the compiler adds a bridge. */
  interface StrategyOfScala212 {
    scala.collection.Seq<SparkPlan> apply(LogicalPlan plan);
  }

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(session -> new OnceStrategy());
    return BoxedUnit.UNIT;
  }
}
