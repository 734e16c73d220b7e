/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseCommandTest {
  @TempDir private Path directory;

  private String log;

  /** Two minutes in which every fourth write was throttled. */
  @BeforeEach
  void writeALog() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2400; i++) {
      boolean isThrottled = i % 4 == 3;
      text.append(
          ("owner lake [06/Feb/2026:00:%02d:%02d +0000] 10.0.0.%d arn:aws:iam::1:role/job R%d"
                  + " REST.PUT.OBJECT out/part-%05d.parquet"
                  + " \"PUT /out/part-%05d.parquet HTTP/1.1\" %s 5000000 %d 40 \"-\""
                  + " \"Hadoop 3.4.2, aws-sdk-java/2.35.4\" - h SigV4 c AuthHeader lake.s3"
                  + " TLSv1.2 - -\n")
              .formatted(
                  i / 1200,
                  i / 20 % 60,
                  i % 9,
                  i,
                  i,
                  i,
                  isThrottled ? "503 SlowDown 300" : "200 - -",
                  isThrottled ? 20 : 80));
    }
    Path file = directory.resolve("access.log");
    Files.writeString(file, text);
    log = file.toString();
  }

  @Test
  void whatToDoComesFirstAndFitsATerminal() {
    Ran ran = Ran.penstock("advise", "--no-cache", log);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.lines().get(0)).isEqualTo("DO");
    assertThat(ran.out())
        .contains("R1  control the request rate (AIMD)  [rate-control]")
        .contains("S3 throttled 600 of 2,400 writes (25.00 %)")
        .contains("NO EVIDENCE");
    assertThat(ran.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void anExplanationShowsQueriesAndRows() {
    Ran ran = Ran.penstock("advise", "--no-cache", "--explain", "r1", log);
    assertThat(ran.out()).contains("-- load:", "from s3_by_second", "capacity", "600");
    assertThat(Ran.penstock("advise", "--no-cache", "--explain", "R2", log).out())
        .startsWith("R2 no-rate-control has nothing to say");
  }

  @Test
  void aNameAndAnIdMeanTheSameRule() {
    String byName = Ran.penstock("advise", "--no-cache", "--rule", "rate-control", log).out();
    assertThat(byName).contains("[rate-control]").doesNotContain("[file-size]");
    assertThat(Ran.penstock("advise", "--no-cache", "--rule", "r1", log).out()).isEqualTo(byName);
    assertThat(Ran.penstock("advise", "--explain", "filesize", log).complaint())
        .startsWith("penstock: there is no rule filesize; did you mean file-size? ");
  }

  @Test
  void jsonAndMarkdownSayTheSame() {
    Ran json = Ran.penstock("advise", "--no-cache", "--format", "json", "--rule", "R1", log);
    assertThat(json.out())
        .contains("\"rule\" : \"R1\"", "\"name\" : \"rate-control\"", "\"verdict\" : \"do\"");
    Ran md = Ran.penstock("advise", "--no-cache", "--format", "md", "--rule", "R1", log);
    assertThat(md.lines().get(2))
        .startsWith("| do | R1 control the request rate (AIMD) `rate-control` |");
  }

  @Test
  void settingsAreWrittenForTheClientThatIsAskedFor() {
    Ran ran =
        Ran.penstock("advise", "--no-cache", "--emit", "spark-defaults", "--client", "s3a", log);
    assertThat(ran.lines()).contains("spark.plugins io.penstock.spark.PenstockPlugin");
    // The peak of this log is far below what S3 takes, so nothing is known of EMRFS's limit.
    Ran emrfs =
        Ran.penstock("advise", "--no-cache", "--emit", "spark-defaults", "--client", "emrfs", log);
    assertThat(emrfs.out()).doesNotContain("fs.s3.aimd.enabled");
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    assertThat(Ran.penstock("advise", "--rule", "R29", log).complaint())
        .startsWith(
            "penstock: there is no rule R29; did you mean R2 (no-rate-control)? There are rate")
        .endsWith(
            ", skew, spill, idle-cores, garbage-collection,"
                + " connection-pool, throttled-deletes, few-tasks");
    assertThat(Ran.penstock("advise", "--emit", "toml", log).exitCode()).isEqualTo(2);
    assertThat(Ran.penstock("advise", "--hadoop", "new", log).complaint())
        .isEqualTo("penstock: --hadoop=new is not a version; write it as 3.4.2");
    assertThat(Ran.penstock("advise", "--cores", "0", log).exitCode()).isEqualTo(2);
    assertThat(Ran.penstock("advise").exitCode()).isEqualTo(2);
  }
}
