/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static io.penstock.core.retry.Fixture.CONFIG;
import static io.penstock.core.retry.Fixture.FOREIGN;
import static io.penstock.core.retry.Fixture.OURS;
import static io.penstock.core.retry.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Writes whose answer was lost, and the look that tells whether they were done. */
class LostAnswerTest {
  private final Fixture s3 = new Fixture();

  @Test
  void ourConditionalPutWhoseAnswerWasLostIsNoConflict() throws IOException {
    for (Kind lost : List.of(Kind.CONNECTION_LOST, Kind.SERVER_ERROR)) {
      s3.faulty.reset();
      s3.bare.delete("once");
      s3.faulty.failAfter(Operation.PUT, 1, lost);

      String etag = s3.store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);

      assertThat(etag).isEqualTo(s3.bare.head("once").etag());
      assertThat(s3.faulty.log()).containsExactly("PUT once", "PUT once", "HEAD once");
    }
  }

  @Test
  void ourReplacementWhoseAnswerWasLostIsNoConflict() throws IOException {
    String old = s3.bare.put("object", Body.ofBytes(FOREIGN), Condition.NONE);
    s3.faulty.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);

    s3.store.put("object", Body.ofBytes(OURS), Condition.ifMatch(old));

    assertThat(s3.bytesOf("object")).isEqualTo(OURS);
  }

  @Test
  void aForeignObjectIsNotTakenForOurLostPut() throws IOException {
    s3.faulty.failBefore(Operation.PUT, 1, Kind.CONNECTION_LOST);
    s3.bare.put("once", Body.ofBytes(FOREIGN), Condition.NONE);

    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> s3.store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT));

    assertThat(s3.bytesOf("once")).isEqualTo(FOREIGN);
  }

  @Test
  void ofTwoWritersOfTheSameBytesOnlyOneWinsThoughTheOtherLostItsAnswer() throws IOException {
    s3.faulty.failBefore(Operation.PUT, 1, Kind.CONNECTION_LOST);
    LayeredStore other = LayeredStores.retrying(s3.bare, CONFIG, s3.time, new SplittableRandom(8));
    other.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);

    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> s3.store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT));
  }

  /** A store may answer a repeated deletion of an object that is gone in this way. */
  @Test
  void ourConditionalDeletionWhoseAnswerWasLostIsDone() throws IOException {
    String etag = s3.bare.put("object", Body.ofBytes(OURS), Condition.NONE);
    s3.faulty
        .failAfter(Operation.DELETE, 1, Kind.CONNECTION_LOST)
        .failBefore(Operation.DELETE, 2, Kind.PRECONDITION_FAILED);

    s3.store.delete("object", Condition.ifMatch(etag));

    assertThat(s3.faulty.log()).containsExactly("DELETE object", "DELETE object", "HEAD object");
  }

  @Test
  void whatAnotherWroteAfterOurLostDeletionStays() throws IOException {
    String foreign = s3.bare.put("object", Body.ofBytes(FOREIGN), Condition.NONE);
    String ours = Etags.ofContent(Body.ofBytes(OURS));
    s3.faulty.failBefore(Operation.DELETE, 1, Kind.CONNECTION_LOST);

    assertFails(Kind.PRECONDITION_FAILED, () -> s3.store.delete("object", Condition.ifMatch(ours)));

    assertThat(s3.bare.head("object").etag()).isEqualTo(foreign);
  }

  @Test
  void aDeletionThatIsRefusedAtOnceIsNotLookedInto() throws IOException {
    s3.bare.put("object", Body.ofBytes(FOREIGN), Condition.NONE);

    assertFails(
        Kind.PRECONDITION_FAILED, () -> s3.store.delete("object", Condition.ifMatch("another")));

    assertThat(s3.faulty.log()).containsExactly("DELETE object");
  }

  @Test
  void ifTheStoreDoesNotTellWhatIsThereTheDeletionFails() {
    s3.faulty
        .failAfter(Operation.DELETE, 1, Kind.CONNECTION_LOST)
        .failBefore(Operation.DELETE, 2, Kind.PRECONDITION_FAILED)
        .failBefore(Operation.HEAD, 1, Kind.ACCESS_DENIED);

    assertThatThrownBy(() -> s3.store.delete("object", Condition.ifMatch("any")))
        .hasMessageStartingWith("DELETE s3://lake/object: scripted PRECONDITION_FAILED")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  void everyConditionalWriteHasItsOwnMarkAndAPlainOneHasNone() throws IOException {
    s3.store.put("a", Body.ofBytes(OURS), Condition.IF_ABSENT);
    s3.store.put("b", Body.ofBytes(OURS), Condition.IF_ABSENT);
    s3.store.put("c", Body.ofBytes(OURS), Condition.NONE);

    assertThat(s3.bare.head("a").writeId().orElseThrow()).matches("[0-9a-f]{32}");
    assertThat(s3.bare.head("b").writeId()).isPresent().isNotEqualTo(s3.bare.head("a").writeId());
    assertThat(s3.bare.head("c").writeId()).isEmpty();
  }

  @Test
  void aConflictAtTheEndIsLookedIntoWhenAnAnswerWasLost() throws IOException {
    s3.faulty.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);
    for (int number = 2; number <= 5; number++) {
      s3.faulty.failBefore(Operation.PUT, number, Kind.CONFLICT);
    }
    String etag = s3.store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);
    assertThat(etag).isEqualTo(s3.bare.head("once").etag());
  }

  @Test
  void aConflictWithoutALostAnswerIsNotLookedInto() throws IOException {
    s3.bare.put("once", Body.ofBytes(OURS), Condition.NONE);

    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> s3.store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT));

    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.PUT, 1));
  }

  @Test
  void anObjectThatIsGoneAgainIsNotOurWriteAndTheStoresAnswerStands() throws IOException {
    s3.faulty
        .failBefore(Operation.PUT, 1, Kind.CONNECTION_LOST)
        .failBefore(Operation.HEAD, 1, Kind.NO_SUCH_KEY);
    s3.bare.put("once", Body.ofBytes(FOREIGN), Condition.NONE);

    assertThatThrownBy(() -> s3.store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT))
        .hasMessageStartingWith("PUT s3://lake/once")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  void anUnconditionalPutThatWasDoneIsSimplyDoneAgain() throws IOException {
    s3.faulty.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);
    s3.store.put("a", Body.ofBytes(OURS), Condition.NONE);
    assertThat(s3.faulty.log()).containsExactly("PUT a", "PUT a");
  }

  @Test
  void aWriteThatAProxyAnsweredAsThrottledAfterItWasDoneIsNoConflict() throws IOException {
    s3.faulty.failAfter(Operation.PUT, 1, Kind.THROTTLED);
    String etag = s3.store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);
    assertThat(etag).isEqualTo(s3.bare.head("once").etag());

    Upload upload = s3.bare.createUpload("object");
    Part part = s3.bare.uploadPart(upload, 1, Body.ofBytes(OURS));
    PendingUpload pending = new PendingUpload(upload, List.of(part));
    s3.faulty.failAfter(Operation.COMPLETE_UPLOAD, 1, Kind.THROTTLED);
    assertThat(s3.store.completeUpload(pending, Condition.NONE))
        .isEqualTo(s3.bare.head("object").etag());
  }
}
