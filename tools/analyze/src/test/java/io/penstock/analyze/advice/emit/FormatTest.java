/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Target;
import io.penstock.tables.Label;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;

@Timeout(60)
class FormatTest {
  private static final String HOSTILE = "a\nspark.evil true\u2028--> <b>]]>& \u0000 x";

  private final List<Advice> all =
      List.of(
          advice(
              "R5",
              AdviceVerdict.DO,
              new Change(Target.HADOOP, "fs.s3a.connection.part.upload.timeout", "15m", "5s")),
          advice(
              "R10",
              AdviceVerdict.DO,
              new Change(Target.SPARK, "spark.sql.files.maxPartitionBytes", "128m", "268435456"),
              new Change(Target.CODE, HOSTILE, "", HOSTILE)),
          advice(
              "R11",
              AdviceVerdict.DO,
              new Change(Target.SPARK, "spark.kubernetes.executor.request.cores", "4", "0.75"),
              new Change(Target.SPARK, "spark.kubernetes.executor.limit.cores", "4", "")),
          advice(
              "R13", AdviceVerdict.DO, new Change(Target.POD, "dnsConfig.options.ndots", "5", "2")),
          advice(
              "R8",
              AdviceVerdict.BENCHMARK,
              new Change(Target.HADOOP, "to.be.measured", "1", "2")));

  @Test
  void everyLineOfSparkDefaultsIsAKeyAndAValueOrAComment() {
    String text = Format.SPARK_DEFAULTS.write(all);
    assertThat(text.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")))
        .containsExactly(
            "spark.hadoop.fs.s3a.connection.part.upload.timeout 5s",
            "spark.sql.files.maxPartitionBytes 268435456",
            "spark.kubernetes.executor.request.cores 0.75");
    assertThat(text)
        .contains("# R5 about it: 12 of 34.\n# was: 15m\n")
        .contains("# Take this out: spark.kubernetes.executor.limit.cores");
  }

  @Test
  void hadoopXmlIsXmlWhateverTheKeysAreCalled() throws Exception {
    Advice hostile =
        advice("R1", AdviceVerdict.DO, new Change(Target.HADOOP, "k", HOSTILE, HOSTILE));
    for (List<Advice> some : List.of(all, List.of(hostile), List.<Advice>of())) {
      byte[] bytes = Format.HADOOP_XML.write(some).getBytes(StandardCharsets.UTF_8);
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(bytes));
      assertThat(document.getDocumentElement().getTagName()).isEqualTo("configuration");
      assertThat(document.getElementsByTagName("property").getLength())
          .isEqualTo(some.isEmpty() ? 0 : 1);
    }
  }

  @Test
  void thePodTemplateIsYaml() {
    assertThat(Format.POD_TEMPLATE.write(all).lines().filter(line -> !line.contains("#")))
        .containsExactly(
            "apiVersion: v1",
            "kind: Pod",
            "spec:",
            "  dnsConfig:",
            "    options:",
            "      - name: ndots",
            "        value: \"2\"");
    assertThat(Format.POD_TEMPLATE.write(all))
        .contains("# In Spark's settings: spark.kubernetes.executor.request.cores 0.75")
        .contains("# In Spark's settings: without spark.kubernetes.executor.limit.cores");
    assertThat(Format.POD_TEMPLATE.write(List.of()))
        .endsWith("# No recommendation changes the specification of pods.\nspec: {}\n");
  }

  /** So that a reader of the file misses nothing that penstock advise ranks. */
  @Test
  void whatAFileCannotSetStandsInItsComments() {
    for (Format format : Format.values()) {
      String text = format.write(all);
      assertThat(text)
          .as(format.title())
          .contains("Measure this change first: spark.hadoop.to.be.measured 2")
          .contains("Not a setting: a spark.evil true")
          .contains("dnsConfig")
          .contains("part.upload.timeout");
    }
    assertThat(Format.HADOOP_XML.write(all))
        .contains("In Spark's settings: spark.sql.files.maxPartitionBytes 268435456");
  }

  @Test
  void ofTwoRulesTheFirstSetsAValue() {
    Change first = new Change(Target.SPARK, "k", "1", "2");
    Change second = new Change(Target.SPARK, "k", "1", "3");
    assertThat(
            Format.SPARK_DEFAULTS.write(
                List.of(
                    advice("R1", AdviceVerdict.DO, first), advice("R2", AdviceVerdict.DO, second))))
        .contains("\nk 2\n")
        .doesNotContain("k 3");
  }

  private static Advice advice(String rule, AdviceVerdict verdict, Change... changes) {
    return new Advice(
        Label.unnamed(rule, "about it"),
        verdict,
        "12 of 34. More.",
        List.of(changes),
        "",
        Confidence.HIGH,
        0,
        "",
        "",
        "",
        List.of(),
        List.of());
  }
}
