/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What analyze takes and what it refuses. */
class AnalyzeOptionsTest {
  @TempDir private Path directory;

  private String log;

  /** Keys hold what would colour a terminal. */
  @BeforeEach
  void writeALog() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      text.append(
          ("owner lake [06/Feb/2026:00:00:%02d +0000] 10.0.0.1 arn:aws:iam::1:role/job R%d"
                  + " REST.PUT.OBJECT %%1B[31mred/part-%d \"PUT /part-%d HTTP/1.1\" %s 100 80 40"
                  + " \"-\" \"Hadoop 3.4.2\" - h SigV4 c AuthHeader lake.s3 TLSv1.2 - -\n")
              .formatted(i % 60, i, i, i, answer(i)));
    }
    Path file = directory.resolve("access.log");
    Files.writeString(file, text);
    log = file.toString();
  }

  private static String answer(int number) {
    return number % 10 == 1
        ? "403 AccessDenied 300"
        : number % 3 == 0 ? "503 SlowDown 300" : "200 - -";
  }

  @Test
  void nothingInALogDrivesTheTerminal() {
    Ran ran = Ran.penstock("analyze", "--no-cache", log);
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("Failed     403 AccessDenied: 20 requests", "\\u001b[31mred/");
    assertThat(ran.out().chars()).noneMatch(c -> c < ' ' && c != '\n');
  }

  @Test
  void aPlaceForThePageThatIsNoneIsNamedBeforeTheLogsAreRead() {
    Ran ran = Ran.penstock("analyze", "--no-cache", log, "--html", directory + "/none/x.html");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.complaint()).contains("there is no directory");
    Ran compared = Ran.penstock("compare", "--no-cache", log, log, "--html", directory.toString());
    assertThat(compared.exitCode()).isEqualTo(2);
    assertThat(compared.complaint()).contains("is a directory; name a file in it");
  }

  @Test
  void aSourceOfNoLogAndASpanOfNoTimeAreRefused() {
    Ran source = Ran.penstock("analyze", "--no-cache", log, "--source", "acces_log");
    assertThat(source.exitCode()).isEqualTo(2);
    assertThat(source.complaint()).contains("there is no source acces_log", "client_log");
    Ran absent = Ran.penstock("analyze", "--no-cache", log, "--source", "cloudtrail");
    assertThat(absent.exitCode()).isEqualTo(2);
    assertThat(absent.complaint()).contains("from the source cloudtrail", "access_log");
    Ran span =
        Ran.penstock(
            "analyze", "--no-cache", log, "--from=2026-02-06T01:00:00", "--to=2026-02-06T00:00:00");
    assertThat(span.exitCode()).isEqualTo(2);
    assertThat(span.complaint()).contains("nothing is from 2026-02-06T01:00:00Z on");
  }

  @Test
  void allTablesCanBeAskedForInAnyCase() {
    Ran ran = Ran.penstock("analyze", "--no-cache", log, "--tables", "ALL", "--format", "md");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("### T1 Summary", "### T17 Errors", "### Files What was read");
  }

  @Test
  void aNameAndAnIdMeanTheSameTable() {
    String byName = analyze("--tables=top-seconds,cost");
    assertThat(byName)
        .startsWith("T4  Top 10 seconds  [top-seconds]\n")
        .contains("\nT15  What the requests cost  [cost]\n");
    assertThat(analyze("--tables=t4,T15")).isEqualTo(byName);
    assertThat(analyze("--tables=Top-Seconds, cost")).isEqualTo(byName);
  }

  private String analyze(String tables) {
    Ran ran = Ran.penstock("analyze", "--no-cache", log, tables);
    assertThat(ran.exitCode()).isZero();
    return ran.out();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          top-second | top-seconds
          Errrors    | errors
          T99        | T9 (attempts-per-request)
          t44        | T4 (top-seconds)
          """)
  void aTableThatIsNotThereIsRefusedWithTheNearest(String typed, String nearest) {
    Ran ran = Ran.penstock("analyze", log, "--tables=cost," + typed);
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint())
        .startsWith("penstock: there is no table " + typed + "; did you mean " + nearest + "? ")
        .contains("There are summary, operations, throttled-operations, top-seconds, ")
        .endsWith(
            ", lost-executors, told-requests, failures, error-messages, troubles, files, records");
  }

  @Test
  void theHelpListsTheTables() {
    String help = Ran.penstock("analyze", "--help").out().replaceAll("\\s+", " ");
    assertThat(help).contains("summary, operations, throttled-operations, top-seconds,");
  }
}
