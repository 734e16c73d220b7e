/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    spark.stop();

    List<String> keys = Lake.keys("kept-logs/");
    assertThat(keys)
        .singleElement()
        .asString()
        .matches("kept-logs/" + application + "/driver-\\d{8}T\\d{6}Z-0001\\.log");
    String log =
        new String(
            Lake.store().get(keys.get(0), new ByteRange(0, 1 << 20), Optional.empty()).bytes(),
            StandardCharsets.UTF_8);
    assertThat(log)
        .contains("ERROR", "a line of the user's", "java.lang.Exception: its cause", "\tat ")
        .containsOnlyOnce("printed by nobody's logger");
  }
}
