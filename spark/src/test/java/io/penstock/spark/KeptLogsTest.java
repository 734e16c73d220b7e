/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import io.penstock.spark.logs.ProcessLogs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The driver's log in a directory of the store. */
class KeptLogsTest {
  @Test
  void theDirectoryHasWhatWasLoggedAndPrinted() throws Exception {
    SparkSession spark =
        Lake.alone(
            Map.of(
                "spark.plugins", "io.penstock.spark.PenstockPlugin",
                "spark.hadoop.penstock.logs.dir", "s3://lake/kept-logs"));
    String application = spark.sparkContext().applicationId();
    LoggerFactory.getLogger("of.a.user").error("a line of the user's", new Exception("its cause"));
    System.err.println("printed by nobody's logger");
    LoggerContext log4j =
        (LoggerContext) LogManager.getContext(SparkSession.class.getClassLoader(), false);
    log4j.reconfigure(); // as after a change of the file
    for (int i = 0; i < 30; i++) {
      LoggerFactory.getLogger("of.a.user").error("after a new configuration");
      Thread.sleep(100);
    }
    spark.stop();

    List<String> keys = Lake.keys("kept-logs/");
    assertThat(keys)
        .singleElement()
        .asString()
        .matches("kept-logs/" + application + "/driver-\\d{8}T\\d{6}Z-0001\\.log");
    assertThat(content(keys.get(0)))
        .contains("ERROR", "a line of the user's", "java.lang.Exception: its cause", "\tat ")
        .contains("after a new configuration")
        .containsOnlyOnce("printed by nobody's logger");

    Lake.spark();
    LoggerFactory.getLogger("of.a.user").error("a line of the next application");
    assertThat(Lake.keys("kept-logs/")).hasSize(1);
    ProcessLogs.endPresent();
    assertThat(content(keys.get(0))).doesNotContain("a line of the next application");
  }

  private static String content(String key) throws IOException {
    return new String(
        Lake.store().get(key, new ByteRange(0, 1 << 20), Optional.empty()).bytes(),
        StandardCharsets.UTF_8);
  }
}
