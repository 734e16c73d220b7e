/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.doctor.CheckOutcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SearchListCheckTest {
  private static final String POD =
      """
      search spark.svc.cluster.local svc.cluster.local cluster.local
      nameserver 10.96.0.10
      options ndots:5
      """;

  private static CheckOutcome look(String text, String host) {
    ScriptedMachine machine = new ScriptedMachine().file("/etc/resolv.conf", text);
    return new SearchListCheck(machine, Optional.of(host)).look().get(0);
  }

  @Test
  void inAPodABucketOfAwsIsAskedForFourTimes() {
    CheckOutcome outcome = look(POD, "lake.s3.us-east-1.amazonaws.com");

    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said())
        .contains("ndots:5", "has only 4 dots", "3 names", "6 queries (A and AAAA) are in vain");
    assertThat(outcome.fix()).contains("dnsConfig: {options: [{name: ndots, value: \"2\"}]}");
    assertThat(outcome.numbers()).containsEntry("wastedQueries", 6L).containsEntry("ndots", 5L);
  }

  @Test
  void withNdotsTwoNothingIsWasted() {
    assertThat(look(POD.replace("5", "2"), "lake.s3.us-east-1.amazonaws.com").verdict())
        .isEqualTo(PASS);
  }

  @Test
  void anAddressIsNotLookedUp() {
    assertThat(look(POD, "127.0.0.1").verdict()).isEqualTo(PASS);
    assertThat(look(POD, "[::1]").verdict()).isEqualTo(PASS);
  }

  @Test
  void aMachineWithoutTheFileIsSkipped() {
    assertThat(new SearchListCheck(new ScriptedMachine(), Optional.empty()).look().get(0).verdict())
        .isEqualTo(SKIPPED);
  }

  @Test
  void theFileIsReadAsGlibcReadsIt() {
    ResolvConf conf =
        ResolvConf.parse(
            """
            ; comment
            # options ndots:9
            domain old.example
            search  a.example\tb.example .
            nameserver
            nameserver 10.0.0.1
            nameserver fd00::1
            options timeout:1 ndots:99 rotate
            """);
    assertThat(conf.search()).containsExactly("a.example", "b.example");
    assertThat(conf.nameservers()).containsExactly("10.0.0.1", "fd00::1");
    assertThat(conf.ndots()).isEqualTo(15);
    assertThat(ResolvConf.parse("").ndots()).isEqualTo(1);
    assertThat(conf.before("s3.example"))
        .containsExactly("s3.example.a.example", "s3.example.b.example");
    assertThat(conf.before("s3.example.")).isEmpty();
  }
}
