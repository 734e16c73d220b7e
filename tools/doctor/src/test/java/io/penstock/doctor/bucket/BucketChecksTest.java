/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Reach.Identity;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.time.VirtualTime;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.endpoint.ScriptedReach;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BucketChecksTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-03-01T12:00:00Z"));
  private final InMemoryStore memory = new InMemoryStore("lake", time);
  private final FaultyStore store = new FaultyStore(memory);
  private final Scratch scratch = new Scratch(store, "data");

  private List<CheckOutcome> writing() throws IOException {
    return List.of(
        new PermissionsCheck(store, scratch, "data").look().get(0),
        new WriteCheck(store, scratch, time).look().get(0),
        new ConditionalWriteCheck(store, scratch).look().get(0),
        new UploadCheck(store, scratch).look().get(0));
  }

  private void put(String key, int sizeBytes) throws IOException {
    memory.put(key, Body.ofBytes(new byte[sizeBytes]), Condition.NONE);
  }

  private void assertThatNothingIsLeft() throws IOException {
    assertThat(memory.list(ListRequest.flat("")).objects()).isEmpty();
    assertThat(memory.listUploads("", Optional.empty()).uploads()).isEmpty();
  }

  @Test
  void aStoreThatDoesAllOfItPassesAndKeepsNothing() throws IOException {
    assertThat(writing()).extracting(CheckOutcome::verdict).containsOnly(PASS);
    assertThatNothingIsLeft();
    assertThat(store.log())
        .allMatch(
            request ->
                request.contains(" data/_penstock_doctor_") || request.matches("LIST.* data"));
  }

  @Test
  void nothingIsLeftWhicheverRequestFails() throws IOException {
    writing();
    int requests = store.log().size();
    for (int step = 1; step <= requests; step++) {
      for (boolean acted : new boolean[] {false, true}) {
        FaultyStore faulty = new FaultyStore(memory).failStep(step, Kind.SERVER_ERROR, acted);
        Scratch own = new Scratch(faulty, "data");
        new PermissionsCheck(faulty, own, "data").look();
        new WriteCheck(faulty, own, time).look();
        new ConditionalWriteCheck(faulty, own).look();
        new UploadCheck(faulty, own).look();
        own.clean();
        assertThat(memory.listUploads("", Optional.empty()).uploads())
            .as("step %d", step)
            .isEmpty();
        assertThat(memory.list(ListRequest.flat("")).objects()).as("step %d", step).isEmpty();
      }
    }
  }

  @Test
  void whatCannotBeDeletedIsNamed() throws IOException {
    store.failAlways(Operation.DELETE, Kind.ACCESS_DENIED);
    List<CheckOutcome> outcomes = new WriteCheck(store, scratch, time).look();

    assertThat(outcomes).extracting(CheckOutcome::verdict).containsExactly(FAIL, FAIL);
    assertThat(outcomes.get(1).said()).startsWith("left over: s3://lake/data/_penstock_doctor_");
    assertThat(outcomes.get(1).fix()).contains("s3:DeleteObject");
  }

  @Test
  void allMissingPermissionsAreNamedAtOnce() throws IOException {
    Map<Operation, String> permissions =
        Map.of(
            Operation.LIST, "s3:ListBucket",
            Operation.GET, "s3:GetObject",
            Operation.PUT, "s3:PutObject",
            Operation.DELETE, "s3:DeleteObject",
            Operation.ABORT_UPLOAD, "s3:AbortMultipartUpload",
            Operation.LIST_PARTS, "s3:ListMultipartUploadParts",
            Operation.LIST_UPLOADS, "s3:ListBucketMultipartUploads");
    List<Operation> operations = List.copyOf(permissions.keySet());
    for (int set = 0; set < 1 << operations.size(); set++) {
      FaultyStore denying = new FaultyStore(memory);
      for (int i = 0; i < operations.size(); i++) {
        if ((set >> i & 1) == 1) {
          Operation operation = operations.get(i);
          denying.failAlways(operation, Kind.ACCESS_DENIED);
          if (operation == Operation.PUT) {
            denying.failAlways(Operation.CREATE_UPLOAD, Kind.ACCESS_DENIED);
          }
          if (operation == Operation.GET) {
            denying.failAlways(Operation.HEAD, Kind.ACCESS_DENIED);
          }
        }
      }
      List<CheckOutcome> outcomes =
          new PermissionsCheck(denying, new Scratch(denying, "data"), "data").look();

      assertThat(outcomes).as("denied set %d", set).hasSize(1);
      String said = outcomes.get(0).said();
      Set<String> named = new HashSet<>(permissions.values());
      named.retainAll(List.of(said.split("[,;]? |: |:$", -1)));
      Set<String> denied = new HashSet<>();
      for (int i = 0; i < operations.size(); i++) {
        if ((set >> i & 1) == 1) {
          denied.add(permissions.get(operations.get(i)));
        }
      }
      Set<String> maybe = new HashSet<>(denied);
      if (denied.containsAll(Set.of("s3:DeleteObject", "s3:AbortMultipartUpload"))) {
        maybe.add("s3:PutObject"); // nothing is written that could not be removed
      }
      if (denied.contains("s3:ListBucket")) {
        maybe.add("s3:GetObject"); // an object that is missing looks like a forbidden one
      }
      assertThat(maybe).as(said).containsAll(named);
      assertThat(named).as(said).containsAll(without(denied, said));
      assertThatNothingIsLeft();
    }
  }

  /** Those that the line must name, which has none of the permissions that were not tried. */
  private static Set<String> without(Set<String> denied, String said) {
    Set<String> certain = new HashSet<>(denied);
    if (said.contains("not tried")) {
      certain.removeAll(Set.of("s3:PutObject", "s3:GetObject"));
    }
    return certain;
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"UNSUPPORTED", "INVALID_REQUEST", "NO_SUCH_UPLOAD"})
  void aStoreThatKnowsNoSuchUploadLacksNoPermission(Kind kind) throws IOException {
    store.failAlways(Operation.ABORT_UPLOAD, kind).failAlways(Operation.LIST_PARTS, kind);
    store.failAlways(Operation.LIST_UPLOADS, kind);
    assertThat(new PermissionsCheck(store, scratch, "data").look())
        .extracting(CheckOutcome::verdict)
        .containsExactly(PASS);
  }

  @Test
  void aKeyOfKmsThatIsMissingIsNamedInPlaceOfTheRequest() throws IOException {
    StoreWrapper denying =
        new StoreWrapper(store) {
          @Override
          public String put(String key, Body body, Condition condition) throws IOException {
            throw new StoreException(
                Kind.ACCESS_DENIED,
                Operation.PUT,
                key,
                "The credentials (role) lack kms:GenerateDataKey here, or a policy forbids it.",
                null,
                null);
          }
        };
    PermissionsCheck check = new PermissionsCheck(denying, new Scratch(denying, "data"), "data");
    assertThat(check.look().get(0).said()).startsWith("missing: kms:GenerateDataKey");
    assertThat(check.isGate()).isTrue();
  }

  @Test
  void whoOnlyReadsIsToldThatThisSuffices() throws IOException {
    for (Operation operation :
        List.of(Operation.PUT, Operation.CREATE_UPLOAD, Operation.DELETE, Operation.ABORT_UPLOAD)) {
      store.failAlways(operation, Kind.ACCESS_DENIED);
    }
    CheckOutcome outcome = new PermissionsCheck(store, scratch, "data").look().get(0);

    assertThat(outcome.verdict()).isEqualTo(FAIL);
    assertThat(outcome.said())
        .isEqualTo(
            "missing: s3:DeleteObject, s3:AbortMultipartUpload; not tried without them:"
                + " s3:PutObject (a reader needs none of them)");
  }

  @Test
  void nothingIsBegunOnceTheCleanUpHasRun() throws IOException {
    assertThat(scratch.clean()).isEmpty();
    try {
      new WriteCheck(store, scratch, time).look();
    } catch (IOException stopped) {
      assertThat(stopped).hasMessageContaining("being stopped");
    }
    assertThatNothingIsLeft();
  }

  @Test
  void aStoreThatIgnoresConditionsIsTold() throws IOException {
    StoreWrapper ignoring =
        new StoreWrapper(memory) {
          @Override
          public String put(String key, Body body, Condition condition) throws IOException {
            return super.put(key, body, Condition.NONE);
          }
        };
    CheckOutcome outcome = conditional(ignoring);

    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said()).isEqualTo("ignored: If-None-Match, If-Match");
    assertThatNothingIsLeft();
  }

  @Test
  void aStoreThatRefusesTheRightEtagIsTold() throws IOException {
    StoreWrapper refusing =
        new StoreWrapper(memory) {
          @Override
          public String put(String key, Body body, Condition condition) throws IOException {
            return super.put(
                key,
                body,
                condition instanceof Condition.IfMatch ? Condition.IF_ABSENT : condition);
          }
        };
    CheckOutcome outcome = conditional(refusing);

    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said()).isEqualTo("If-Match is refused even if the ETag is right");
    assertThatNothingIsLeft();
  }

  @Test
  void aStoreThatCompletesInSpiteOfTheConditionIsTold() throws IOException {
    StoreWrapper ignoring =
        new StoreWrapper(memory) {
          @Override
          public String completeUpload(PendingUpload pending, Condition condition)
              throws IOException {
            return super.completeUpload(pending, Condition.NONE);
          }
        };
    CheckOutcome outcome = conditional(ignoring);

    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said()).contains("ignored when an upload is completed");
    assertThatNothingIsLeft();
  }

  private static CheckOutcome conditional(ObjectStore store) throws IOException {
    return new ConditionalWriteCheck(store, new Scratch(store, "")).look().get(0);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyRefusalHasAFix(Kind kind) throws IOException {
    store.failAlways(Operation.LIST, kind);
    CheckOutcome outcome = new ListCheck(store, "data", time).look().get(0);
    assertThat(outcome.verdict()).isEqualTo(FAIL);
    assertThat(outcome.fix()).isNotBlank();
  }

  @Test
  void theLargestObjectIsReadTwentyTimesInBothSizes() throws IOException {
    put("data/small", 10);
    put("data/large", 9 << 20);
    List<CheckOutcome> outcomes = new ReadCheck(store, "data", time).look();

    assertThat(outcomes).extracting(CheckOutcome::verdict).containsExactly(PASS, PASS);
    assertThat(outcomes).extracting(o -> o.numbers().get("tries")).containsExactly(20L, 20L);
    assertThat(store.requests()).isEqualTo(Map.of(Operation.LIST, 1, Operation.GET, 42));
    assertThat(store.log()).contains("GET data/large").doesNotContain("GET data/small");
  }

  @Test
  void withoutALargeObjectTheLargeReadIsSkipped() throws IOException {
    assertThat(new ReadCheck(store, "data", time).look())
        .extracting(CheckOutcome::verdict)
        .containsExactly(SKIPPED, SKIPPED);
    put("data/small", 10);
    assertThat(new ReadCheck(store, "data", time).look())
        .extracting(CheckOutcome::verdict)
        .containsExactly(PASS, SKIPPED);
  }

  @Test
  void aSlowStoreIsToldAndNotAskedForMinutes() throws IOException {
    StoreWrapper slow =
        new StoreWrapper(store) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            time.advance(Duration.ofSeconds(3));
            return call.run();
          }
        };
    put("data/small", 10);
    CheckOutcome outcome = new ReadCheck(slow, "data", time).look().get(0);

    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.said())
        .isEqualTo("to the first byte: p50 3,000 ms, p95 3,000 ms, in 2 tries");
    assertThat(store.requests()).containsEntry(Operation.GET, 3);
  }

  @Test
  void percentilesAreOfTheNearestRank() {
    Tries tries = new Tries(LongStream.rangeClosed(1, 20).map(n -> n * 1_000).boxed().toList());
    assertThat(tries.percentile(50)).isEqualTo(10_000);
    assertThat(tries.percentile(95)).isEqualTo(19_000);
    assertThat(new Tries(List.of(7L)).percentile(95)).isEqualTo(7);
    assertThat(new Tries(List.of(1_500L, 20_400L)).shown())
        .isEqualTo("p50 1.5 ms, p95 20 ms, in 2 tries");
  }

  private CheckOutcome credentials(ScriptedReach.Credentials credentials) {
    return new CredentialsCheck(ScriptedReach.at("http://store/lake").by(credentials), time)
        .look()
        .get(0);
  }

  private CheckOutcome expiring(Duration left) {
    Optional<Instant> expires = Optional.of(time.now().plus(left));
    return credentials(() -> new Identity("the instance's role", false, expires));
  }

  @Test
  void credentialsAreJudgedByTheTimeTheyHaveLeft() {
    assertThat(expiring(Duration.ofHours(6)).said())
        .isEqualTo("from the instance's role, good for 6 h");
    assertThat(expiring(Duration.ofHours(6)).verdict()).isEqualTo(PASS);
    assertThat(expiring(Duration.ofMinutes(5)).verdict()).isEqualTo(WARN);
    assertThat(expiring(Duration.ofMinutes(-5)).said())
        .isEqualTo("from the instance's role, expired 5 min ago");
    assertThat(expiring(Duration.ofMinutes(-5)).verdict()).isEqualTo(FAIL);
  }

  @Test
  void noCredentialsFailWithTheWaysToSomeAndNoneNeededPasses() {
    CheckOutcome none =
        credentials(
            () -> {
              throw new IOException("LIST s3://lake/: no credentials from the profile x.");
            });
    assertThat(none.verdict()).isEqualTo(FAIL);
    assertThat(none.said()).isEqualTo("no credentials from the profile x.");
    assertThat(none.fix()).contains("AWS_ACCESS_KEY_ID", "penstock.credentials=anonymous");
    assertThat(credentials(() -> new Identity("anonymous", true, Optional.empty())).verdict())
        .isEqualTo(PASS);
  }
}
