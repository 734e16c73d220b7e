/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.s3model.S3Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultRuleTest {
  private static FaultScript script(String rules) {
    return new FaultScript(FaultRule.parseAll(rules), new SplittableRandom(7));
  }

  private static List<Fault.Kind> run(FaultScript script, S3Operation operation, int requests) {
    List<Fault.Kind> kinds = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      kinds.add(script.next(operation, "", false).kind());
    }
    return kinds;
  }

  @Test
  void theThirdOfItsOperationIsStruckAndNoOther() {
    FaultScript script = script("CompleteMultipartUpload#3=reset-after");
    assertThat(run(script, S3Operation.PUT_OBJECT, 5)).containsOnly(Fault.Kind.NONE);
    assertThat(run(script, S3Operation.COMPLETE_MULTIPART_UPLOAD, 4))
        .containsExactly(Fault.Kind.NONE, Fault.Kind.NONE, Fault.Kind.RESET_AFTER, Fault.Kind.NONE);
  }

  @Test
  void withoutNumberOrChanceEachRequestIsStruck() {
    assertThat(run(script("HeadObject=no-length"), S3Operation.HEAD_OBJECT, 3))
        .containsOnly(Fault.Kind.NO_LENGTH);
  }

  @Test
  void aConditionOnTheKeyStandsInBrackets() {
    FaultScript script =
        script("PutObject[t/p=1/]=403,*[has:%01]=bad-name,*[segment>5]=html,*[length>30]=no-etag");
    assertThat(script.next(S3Operation.PUT_OBJECT, "t/p=1/a", false).error().orElseThrow().code())
        .isEqualTo("AccessDenied");
    assertThat(script.next(S3Operation.GET_OBJECT, "t/p=1/a", false)).isEqualTo(Fault.NONE);
    assertThat(script.next(S3Operation.PUT_OBJECT, "t/p=2/a", false)).isEqualTo(Fault.NONE);
    assertThat(script.next(S3Operation.GET_OBJECT, "x\u0001", false).error().orElseThrow().code())
        .isEqualTo("XMinioInvalidObjectName");
    assertThat(script.next(S3Operation.GET_OBJECT, "a/bcdef/g", false)).isEqualTo(Fault.NONE);
    assertThat(script.next(S3Operation.GET_OBJECT, "a/bcdefg/h", false).kind())
        .isEqualTo(Fault.Kind.WEB_PAGE);
    assertThat(script.next(S3Operation.GET_OBJECT, "a/".repeat(16), false).kind())
        .isEqualTo(Fault.Kind.NO_ETAG);
  }

  @Test
  void aKeyOfABulkDeleteIsRefusedByItself() {
    FaultScript script = script("DeleteObjects[t/p=1/]=403");
    assertThat(script.next(S3Operation.DELETE_OBJECTS, "", false)).isEqualTo(Fault.NONE);
    assertThat(script.refusal("t/p=1/a", false).orElseThrow().status()).isEqualTo(403);
    assertThat(script.refusal("t/p=2/a", false)).isEmpty();
  }

  @Test
  void aRuleCanBeOnlyAboutRequestsWithoutACondition() {
    FaultScript script = script("PutObject[plain]=403,DeleteObjects[plain]=403");
    assertThat(script.next(S3Operation.PUT_OBJECT, "a", false).error().orElseThrow().status())
        .isEqualTo(403);
    assertThat(script.next(S3Operation.PUT_OBJECT, "a", true)).isEqualTo(Fault.NONE);
    assertThat(script.refusal("a", false).orElseThrow().status()).isEqualTo(403);
    assertThat(script.refusal("a", true)).isEmpty();
  }

  @Test
  void aSpanOfRequestsIsStruck() {
    assertThat(run(script("*#2-3=500"), S3Operation.GET_OBJECT, 4))
        .containsExactly(
            Fault.Kind.NONE, Fault.Kind.ERROR_BEFORE, Fault.Kind.ERROR_BEFORE, Fault.Kind.NONE);
  }

  @Test
  void chanceRepeatsWithItsSeedAndKeepsItsProbability() {
    List<Fault.Kind> first = run(script("GetObject@0.1=truncate"), S3Operation.GET_OBJECT, 1_000);
    List<Fault.Kind> again = run(script("GetObject@0.1=truncate"), S3Operation.GET_OBJECT, 1_000);
    assertThat(again).isEqualTo(first);
    assertThat(first.stream().filter(Fault.Kind.TRUNCATE::equals).count()).isBetween(70L, 130L);
  }

  @Test
  void oneMoreRuleMovesNoChanceOfTheRulesBeforeIt() {
    List<Fault.Kind> alone = run(script("GetObject@0.1=truncate"), S3Operation.GET_OBJECT, 200);
    List<Fault.Kind> both =
        run(script("GetObject@0.1=truncate,PutObject@0.5=500"), S3Operation.GET_OBJECT, 200);
    assertThat(both).isEqualTo(alone);
  }

  @Test
  void aListOfRulesIsReadWithItsFaults() {
    List<FaultRule> rules = FaultRule.parseAll("PutObject@0.03=500, *@0.01=stall:5s");
    assertThat(rules).hasSize(2);
    assertThat(rules.get(0).probability()).isEqualTo(0.03);
    assertThat(rules.get(0).fault().error().orElseThrow().code()).isEqualTo("InternalError");
    assertThat(rules.get(1).operation()).isEmpty();
    assertThat(rules.get(1).fault().stall()).isEqualTo(Duration.ofSeconds(5));
    assertThat(FaultRule.parseAll("")).isEmpty();
  }

  @Test
  void stallsOfARangeAreDrawnByTheirLogarithmAndRepeatWithTheSeed() {
    List<Duration> first = stalls(script("*@1=stall:5s-60s"));
    assertThat(first).allMatch(d -> d.toMillis() >= 5_000 && d.toMillis() <= 60_000);
    // Half of them under the geometric mean of the ends, 17.3 s.
    assertThat(first.stream().filter(d -> d.toMillis() < 17_320).count()).isBetween(450L, 550L);
    assertThat(stalls(script("*@1=stall:5s-60s"))).isEqualTo(first);
  }

  private static List<Duration> stalls(FaultScript script) {
    List<Duration> stalls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      stalls.add(script.next(S3Operation.UPLOAD_PART, "", false).stall());
    }
    return stalls;
  }

  @ParameterizedTest
  @CsvSource({
    "PutObject, PutObject, OPERATION#N=FAULT",
    "PutObject#1, PutObject#1, reset-before",
    "PutThing#1=500, PutThing, CompleteMultipartUpload",
    "PutObject#1=501, 501, reset-after",
    "PutObject#0=500, PutObject#0=500, from 1",
    "PutObject#3-2=500, PutObject#3-2=500, upward",
    "PutObject@1.5=500, 1.5, from 0 to 1",
    "PutObject@1.2.3=500, 1.2.3, from 0 to 1",
    "PutObject#1=stall:60s-5s, 60s-5s, shorter",
    "PutObject#1=stall:5, '''5''', 50ms",
  })
  void aMistakeIsNamedWithWhatIsAllowed(String text, String named, String allowed) {
    assertThatThrownBy(() -> FaultRule.parseAll("GetObject#1=500," + text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named)
        .hasMessageContaining(allowed);
  }
}
