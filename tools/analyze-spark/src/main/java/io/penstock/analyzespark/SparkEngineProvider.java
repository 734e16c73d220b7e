/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.engine.EngineChoice;
import io.penstock.analyze.engine.EngineProvider;
import io.penstock.analyze.engine.QueryEngine;
import java.io.IOException;
import org.apache.spark.sql.SparkSession;

/** Opens the engine on the Spark of this process, and starts Spark if it does not run yet. */
public final class SparkEngineProvider implements EngineProvider {
  @Override
  public String name() {
    return "spark";
  }

  /** Opens an engine that stops Spark when it is closed. */
  @Override
  public QueryEngine open(EngineChoice choice) throws IOException {
    SparkSession spark = SparkSession.builder().appName("penstock analyze").getOrCreate();
    try {
      return SparkEngine.open(spark, choice, spark::stop);
    } catch (IOException | RuntimeException e) {
      spark.stop();
      throw e;
    }
  }
}
