/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.plan;

import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import scala.collection.Iterator;

/**
 * The text of a query over the rows of a batch that tells it from each other query over these rows,
 * and is the same in each run of the batch. There is none for a query of which that is not sure:
 * one that reads anything else, has a function of the user's, or chooses rows by chance or by the
 * time. Two of these may look alike, or the same one may have other rows when it is run again.
 */
final class PlanText {
  /**
   * Nodes that have nothing to say but their expressions, and take the same rows each time. One
   * that drops duplicates by some columns takes any of them.
   */
  private static final Set<String> KNOWN =
      Set.of(
          "Project",
          "Filter",
          "SubqueryAlias",
          "Repartition",
          "RepartitionByExpression",
          "RebalancePartitions",
          "Sort",
          "Distinct",
          "Aggregate",
          "Union");

  /** Expressions of Spark itself; functions of users, and calls of objects, are elsewhere. */
  private static final String EXPRESSIONS =
      "org[.]apache[.]spark[.]sql[.]catalyst[.]expressions[.](aggregate[.])?[A-Za-z0-9$]+";

  /** Functions that users give, queries of other tables, and variables that a session may set. */
  private static final String OF_USERS = ".*(UDF|UDAF|Subquery|LambdaFunction|VariableReference).*";

  private static final Set<String> TIMES =
      Set.of("CurrentTimestamp", "CurrentDate", "Now", "LocalTimestamp", "CurrentTime");

  private final Object rows;
  private final StringBuilder text = new StringBuilder();
  private boolean isKnown = true;

  /** True while all nodes so far only add columns, and so do not choose rows. */
  private boolean isAtTop = true;

  private PlanText(Object rows) {
    this.rows = rows;
  }

  /**
   * @param analyzed the query before it is optimized; the optimizer puts in the present time
   * @param rows the RDD of the batch's rows
   */
  static Optional<String> of(LogicalPlan analyzed, Object rows) {
    PlanText plan = new PlanText(rows);
    plan.text.append(analyzed.schema().json());
    LogicalPlan canonical = analyzed.canonicalized();
    canonical.foreach(
        node -> {
          plan.add(node);
          return scala.runtime.BoxedUnit.UNIT;
        });
    return plan.isKnown ? Optional.of(plan.text.toString()) : Optional.empty();
  }

  private void add(LogicalPlan node) {
    String name = node.getClass().getSimpleName();
    text.append('\n').append(name).append('/').append(count(node));
    if (name.equals("LogicalRDD")) {
      isKnown &= SparkInternals.call(node, "rdd").equals(rows);
      return;
    }
    isKnown &= KNOWN.contains(name);
    isAtTop &= node instanceof Project || node instanceof SubqueryAlias;
    Iterator<?> expressions = SparkInternals.iterator(node, "expressions");
    while (expressions.hasNext()) {
      text.append('\n');
      boolean isNew = add((Expression) expressions.next());
      isKnown &= isAtTop || !isNew;
    }
  }

  /**
   * Adds an expression part by part: Spark shortens the text of one with many arguments. What is
   * new in each run, such as a seed, is left out.
   *
   * @return whether the expression is another one in each run
   */
  private boolean add(Expression expression) {
    String type = expression.getClass().getName();
    isKnown &= type.matches(EXPRESSIONS) && !type.matches(OF_USERS);
    text.append(' ').append(expression.getClass().getSimpleName());
    boolean isNew = TIMES.contains(expression.getClass().getSimpleName());
    boolean isOfParts = false;
    for (Iterator<?> parts = SparkInternals.iterator(expression, "children"); parts.hasNext(); ) {
      isOfParts |= !((Expression) parts.next()).deterministic();
    }
    isNew |= !expression.deterministic() && !isOfParts;
    if (isNew) {
      return true;
    }
    if (expression.deterministic()) {
      text.append(' ').append(expression);
    }
    text.append('(');
    for (Iterator<?> parts = SparkInternals.iterator(expression, "children"); parts.hasNext(); ) {
      isNew |= add((Expression) parts.next());
    }
    text.append(')');
    return isNew;
  }

  private static int count(LogicalPlan node) {
    int count = 0;
    for (Iterator<?> nodes = SparkInternals.iterator(node, "children"); nodes.hasNext(); ) {
      nodes.next();
      count++;
    }
    return count;
  }
}
