/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.plan;

import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.collection.Iterator;

/**
 * The text of a query that is the same when another process makes the same query, and another one
 * for most other queries. It has no ids, no addresses of objects in memory and no seeds of random
 * functions, which are new each time.
 */
final class PlanText {
  private static final String ADDRESSES = "@[0-9a-f]{4,}|\\$\\$Lambda[^ ,)\\]]*";
  private static final String SEEDED =
      "(?i)\\b(rand|randn|uuid|shuffle)\\([^()]*(\\([^()]*\\))?\\)";

  private PlanText() {}

  /**
   * @param analyzed the query before it is optimized; the optimizer puts in the present time
   */
  static String of(LogicalPlan analyzed) {
    StringBuilder text = new StringBuilder(analyzed.schema().json());
    LogicalPlan canonical = analyzed.canonicalized();
    canonical.foreach(
        node -> {
          text.append('\n').append(node.nodeName());
          Iterator<?> expressions = SparkInternals.iterator(node, "expressions");
          while (expressions.hasNext()) {
            text.append('\n').append(expressions.next());
          }
          if (node instanceof LocalRelation) {
            Iterator<?> rows = SparkInternals.iterator(node, "data");
            while (rows.hasNext()) {
              text.append('\n').append(rows.next());
            }
          }
          return scala.runtime.BoxedUnit.UNIT;
        });
    return text.toString().replaceAll(ADDRESSES, "").replaceAll(SEEDED, "$1");
  }
}
