/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.junit.jupiter.api.Test;

/** The tables of docs/athena.sql, in the dialect of Hive, which Athena and Spark have. */
class AthenaTablesTest {
  @Test
  void bothTablesAreUnderstood() throws IOException {
    List<String> tables =
        Statements.of(Path.of("../docs/athena.sql")).stream()
            .filter(statement -> statement.startsWith("CREATE"))
            .toList();
    assertThat(tables).hasSize(2);
    assertThat(tables)
        .allSatisfy(
            table ->
                assertThat(new SparkSqlParser().parsePlan(table).toString())
                    .contains("projection.day.format", "storage.location.template"));
  }
}
