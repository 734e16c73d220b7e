/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.ConfigKey;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CorrectedConfTest {
  private static final List<ConfigKey<?>> KEYS =
      List.of(
          ConfigKey.text("endpoint"),
          ConfigKey.text("region"),
          ConfigKey.bool("spark.commit.enabled"));

  @Test
  void whatStopsOrMisleadsAJobBecomesACommentAndTheRestStays() throws IOException {
    String file =
        """
        # ours
        spark.plugins   io.penstock.spark.PenstockPlugin
        spark.sql.sources.commitProtocolClass=com.acme.Protocol
        spark.sql.parquet.output.committer.class: com.amazon.emr.committer.Optimized
        spark.hadoop.mapred.output.committer.class com.acme.Committer
        spark.hadoop.fs.s3a.attempts.maximum 3
        spark.executor.extraJavaOptions -Da=1 \\
          -Dfs.s3a.b=2
        fs.s3a.path.style.access true
        spark.penstock.endpiont http://127.0.0.1:9000
        spark.hadoop.penstock.nothing.like.it 1
        spark.hadoop.penstock.bucket.lake.regio eu-west-1
        spark.hadoop.fs.s3a.secretkey hidden
        spark.fs.s3a.access.key mine
        spark.hadoop.fs.oss.endpoint http://oss
        spark.hadoop.fs.s3.impl com.acme.Guard
        """;

    CorrectedConf corrected = correct(file);

    assertThat(corrected.text())
        .isEqualTo(
            """
            # ours
            spark.plugins   io.penstock.spark.PenstockPlugin
            # This setting would commit by rename, or without Penstock.
            # spark.sql.sources.commitProtocolClass=com.acme.Protocol
            # This setting has no effect: Penstock commits the job without it.
            # spark.sql.parquet.output.committer.class: com.amazon.emr.committer.Optimized
            # This setting would commit by rename, or without Penstock.
            # spark.hadoop.mapred.output.committer.class com.acme.Committer
            # Penstock does not read this setting.
            # spark.hadoop.fs.s3a.attempts.maximum 3
            spark.executor.extraJavaOptions -Da=1 \\
              -Dfs.s3a.b=2
            spark.hadoop.fs.s3a.path.style.access true
            spark.hadoop.penstock.endpoint http://127.0.0.1:9000
            spark.hadoop.penstock.nothing.like.it 1
            spark.hadoop.penstock.bucket.lake.region eu-west-1
            spark.hadoop.fs.s3a.secret.key hidden
            spark.hadoop.fs.s3a.access.key mine
            spark.hadoop.fs.oss.endpoint http://oss
            spark.hadoop.fs.s3.impl com.acme.Guard
            """);
    assertThat(corrected.changes()).isEqualTo(9);
  }

  @Test
  void aLineThatGetsItsPrefixIsJudgedToo() throws IOException {
    CorrectedConf corrected =
        correct(
            """
            mapred.output.committer.class com.acme.C
            spark.penstock.spark.commit.enabled false
            spark.sql.sources.commitProtocolClass com.acme.P
            """);
    assertThat(corrected.text())
        .as("the user keeps his own committers")
        .isEqualTo(
            """
            spark.hadoop.mapred.output.committer.class com.acme.C
            spark.hadoop.penstock.spark.commit.enabled false
            spark.sql.sources.commitProtocolClass com.acme.P
            """);
    assertThat(correct("mapred.output.committer.class com.acme.C").text())
        .isEqualTo(
            "# This setting would commit by rename, or without Penstock.\n"
                + "# spark.hadoop.mapred.output.committer.class com.acme.C");
  }

  @Test
  void aLostLineDoesNotTakeThePlaceOfOneThatCounts() throws IOException {
    assertThat(
            correct("spark.hadoop.fs.s3a.endpoint http://right\nfs.s3a.endpoint http://stale")
                .text())
        .isEqualTo(
            """
            spark.hadoop.fs.s3a.endpoint http://right
            # This line has no effect, and spark.hadoop.fs.s3a.endpoint is set.
            # fs.s3a.endpoint http://stale\
            """);
  }

  @Test
  void linesAreJoinedAsJavaJoinsThem() throws IOException {
    assertThat(
            correct(
                    """
                    a C:\\\\lib\\\\
                    fs.s3a.endpoint x
                    ! note \\
                    fs.s3a.path.style.access true
                    fs.s3a.access.key \\
                      abc
                    spark.penstock.bucket.a\\:b.region x
                    """)
                .text())
        .isEqualTo(
            """
            a C:\\\\lib\\\\
            spark.hadoop.fs.s3a.endpoint x
            ! note \\
            spark.hadoop.fs.s3a.path.style.access true
            spark.hadoop.fs.s3a.access.key \\
              abc
            spark.hadoop.penstock.bucket.a:b.region x
            """);
  }

  @Test
  void aCorrectedFileNeedsNoCorrection() throws IOException {
    String once =
        correct("spark.plugins io.penstock.spark.PenstockPlugin\nfs.s3a.endpoint x\n").text();

    assertThat(correct(once)).isEqualTo(new CorrectedConf(once, 0));
  }

  private static CorrectedConf correct(String file) throws IOException {
    Job job = new Job(Given.ofSpark(ConfText.properties(file)), Optional.empty());
    return CorrectedConf.of(
        file,
        job,
        new PenstockView(KEYS, settings -> List.of("fs.s3a.attempts.maximum"), settings -> {}));
  }
}
