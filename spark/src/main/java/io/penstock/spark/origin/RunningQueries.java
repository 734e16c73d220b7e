/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.origin;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/**
 * Knows which SQL queries run. A thread inherits the number of the query that ran when it was
 * started; for the thread of a pool, that query has most often ended.
 */
public final class RunningQueries extends SparkListener {
  /** If Spark drops events, some queries seem to run for ever. No driver runs so many at once. */
  private static final int RUNNING_MAX = 10_000;

  private final Set<Long> running = ConcurrentHashMap.newKeySet();
  private volatile long newest = -1;

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart started) {
      if (running.size() >= RUNNING_MAX) {
        running.clear();
      }
      running.add(started.executionId());
      newest = Math.max(newest, started.executionId());
    } else if (event instanceof SparkListenerSQLExecutionEnd ended) {
      running.remove(ended.executionId());
    }
  }

  /** Returns true if the query runs. Spark tells of its start a little later. */
  boolean isRunning(long query) {
    return query > newest || running.contains(query);
  }
}
