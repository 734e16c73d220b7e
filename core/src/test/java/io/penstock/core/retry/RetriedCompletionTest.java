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
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.EncryptingStore;
import io.penstock.core.store.Etags;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Completes that are repeated because their answers were lost. */
class RetriedCompletionTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore bare = new InMemoryStore("lake", time);
  private final FaultyStore faulty = new FaultyStore(bare);
  private final LayeredStore store =
      LayeredStores.retrying(faulty, CONFIG, time, new SplittableRandom(7));

  private byte[] bytesOf(String key) throws IOException {
    return bare.get(key, new ByteRange(0, 100), Optional.empty()).bytes();
  }

  /**
   * Dies in a completion and comes back with the upload, but without its parts.
   *
   * @param isDone whether it had made the object
   */
  private ObjectStore dyingInCompletion(boolean isDone) {
    return new StoreWrapper(faulty) {
      private int completions;

      @Override
      public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
        if (completions++ == 0) {
          if (isDone) {
            inner.completeUpload(pending, condition);
          }
          throw StoreException.of(
              Kind.CONNECTION_LOST, Operation.COMPLETE_UPLOAD, pending.key(), "it died.");
        }
        throw StoreException.of(
            Kind.INVALID_REQUEST, Operation.COMPLETE_UPLOAD, pending.key(), "InvalidPart (400).");
      }
    };
  }

  private PendingUpload uploadOf(String key, byte[] content) throws IOException {
    Upload upload = bare.createUpload(key);
    return new PendingUpload(upload, List.of(bare.uploadPart(upload, 1, Body.ofBytes(content))));
  }

  @Test
  void aCompletionInWhichTheStoreDiedIsDoneWhenItsObjectIsThere() throws IOException {
    LayeredStore retrying =
        LayeredStores.retrying(dyingInCompletion(true), CONFIG, time, new SplittableRandom(7));
    String etag = retrying.completeUpload(uploadOf("a", OURS), Condition.NONE);
    assertThat(etag).isEqualTo(bare.head("a").etag());
  }

  @Test
  void aCompletionWhoseLostAttemptIsStillAtWorkIsWaitedFor() throws IOException {
    PendingUpload pending = uploadOf("a", OURS);
    ObjectStore slow =
        new StoreWrapper(dyingInCompletion(false)) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (operation == Operation.HEAD && time.nowNanos() > 1_000_000_000) {
              bare.completeUpload(pending, Condition.NONE);
            }
            return call.run();
          }
        };
    LayeredStore retrying = LayeredStores.retrying(slow, CONFIG, time, new SplittableRandom(7));

    assertThat(retrying.completeUpload(pending, Condition.NONE))
        .isEqualTo(Etags.ofParts(pending.parts()));
  }

  /** Says yes to every Complete and does none, as versitygw does after it died in one. */
  private ObjectStore sayingYes(PendingUpload pending) {
    return new StoreWrapper(faulty) {
      @Override
      public StoreTraits traits() {
        return StoreTraits.unknown(PartNumbering.CONSECUTIVE);
      }

      @Override
      public String completeUpload(PendingUpload upload, Condition condition) throws IOException {
        if (faulty.requests().getOrDefault(Operation.LIST, 0) == 0) {
          faulty.list(ListRequest.flat("")); // counts
          throw StoreException.of(
              Kind.CONNECTION_LOST, Operation.COMPLETE_UPLOAD, upload.key(), "it died.");
        }
        return Etags.ofParts(pending.parts());
      }
    };
  }

  @Test
  void aYesToARepeatedCompleteIsNotBelievedWithoutTheObject() throws IOException {
    PendingUpload pending = uploadOf("a", OURS);
    LayeredStore retrying =
        LayeredStores.retrying(sayingYes(pending), CONFIG, time, new SplittableRandom(7));

    assertThatThrownBy(() -> retrying.completeUpload(pending, Condition.NONE))
        .hasMessageContaining("s3://lake/a: the store says that the upload is completed");

    assertThat(faulty.requests().get(Operation.HEAD)).isEqualTo(4);
  }

  @Test
  void whenAnotherObjectIsThereTheLostPartsAreTheFailure() throws IOException {
    LayeredStore retrying =
        LayeredStores.retrying(dyingInCompletion(false), CONFIG, time, new SplittableRandom(7));
    bare.put("a", Body.ofBytes(FOREIGN), Condition.NONE);
    PendingUpload pending = uploadOf("a", OURS);
    assertFails(Kind.INVALID_REQUEST, () -> retrying.completeUpload(pending, Condition.NONE));
    assertThat(bytesOf("a")).isEqualTo(FOREIGN);
  }

  @Test
  void ourCompletionWhoseAnswerWasLostIsNoFailure() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    faulty.failAfter(Operation.COMPLETE_UPLOAD, 1, Kind.CONNECTION_LOST);

    String etag = store.completeUpload(pending, Condition.NONE);

    assertThat(etag).isEqualTo(bare.head("object").etag());
    assertThat(faulty.log())
        .containsExactly("COMPLETE_UPLOAD object", "COMPLETE_UPLOAD object", "HEAD object");
  }

  @Test
  void theSameHoldsWhereAProxyMakesTheEtagWeak() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    ObjectStore behindProxy =
        new StoreWrapper(faulty) {
          @Override
          public ObjectMeta head(String key) throws IOException {
            ObjectMeta found = inner.head(key);
            return new ObjectMeta(
                key, found.sizeBytes(), "W/\"" + found.etag() + '"', found.lastModified());
          }
        };
    faulty.failAfter(Operation.COMPLETE_UPLOAD, 1, Kind.CONNECTION_LOST);
    LayeredStores.retrying(behindProxy, CONFIG, time, new SplittableRandom(7))
        .completeUpload(pending, Condition.NONE);
    assertThat(bytesOf("object")).isEqualTo(OURS);
  }

  @Test
  void ourConditionalCompletionWhoseAnswerWasLostIsNoFailure() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    faulty
        .failAfter(Operation.COMPLETE_UPLOAD, 1, Kind.SERVER_ERROR)
        // As a store answers that checks the condition first.
        .failBefore(Operation.COMPLETE_UPLOAD, 2, Kind.PRECONDITION_FAILED);

    String etag = store.completeUpload(pending, Condition.IF_ABSENT);

    assertThat(etag).isEqualTo(bare.head("object").etag());
  }

  @Test
  void aForeignObjectOfTheSameShapeIsNotTakenForOurConditionalCompletion() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    bare.completeUpload(uploadOf("object", FOREIGN), Condition.NONE);
    faulty.failBefore(Operation.COMPLETE_UPLOAD, 1, Kind.CONNECTION_LOST);

    assertFails(Kind.PRECONDITION_FAILED, () -> store.completeUpload(pending, Condition.IF_ABSENT));

    assertThat(bytesOf("object")).isEqualTo(FOREIGN);
  }

  @Test
  void theSameBytesOfAnotherUploadAreNotTakenForOurConditionalCompletion() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    bare.completeUpload(uploadOf("object", OURS), Condition.NONE);
    faulty.failBefore(Operation.COMPLETE_UPLOAD, 1, Kind.CONNECTION_LOST);

    assertFails(Kind.PRECONDITION_FAILED, () -> store.completeUpload(pending, Condition.IF_ABSENT));

    assertThat(faulty.log()).endsWith("HEAD object", "LIST_UPLOADS object");
  }

  @Test
  void whoMayNotListUploadsStillFindsItsOwnConditionalCompletion() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    faulty
        .failAfter(Operation.COMPLETE_UPLOAD, 1, Kind.SERVER_ERROR)
        .failBefore(Operation.COMPLETE_UPLOAD, 2, Kind.PRECONDITION_FAILED)
        .failAlways(Operation.LIST_UPLOADS, Kind.ACCESS_DENIED);

    String etag = store.completeUpload(pending, Condition.IF_ABSENT);

    assertThat(etag).isEqualTo(bare.head("object").etag());
  }

  /** Answers a Complete that was seen before as versitygw and S3 do. */
  @Test
  void aCompletionThatIsRepeatedWithSuccessNeedsNoLook() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    ObjectStore forgiving =
        new StoreWrapper(faulty) {
          private String etag;

          @Override
          public String completeUpload(PendingUpload upload, Condition condition)
              throws IOException {
            if (etag != null) {
              return etag;
            }
            etag = bare.completeUpload(upload, condition);
            return inner.completeUpload(upload, condition);
          }
        };
    faulty.failBefore(Operation.COMPLETE_UPLOAD, 1, Kind.CONNECTION_LOST);
    LayeredStore retrying =
        LayeredStores.retrying(forgiving, CONFIG, time, new SplittableRandom(7));

    assertThat(retrying.completeUpload(pending, Condition.NONE))
        .isEqualTo(bare.head("object").etag());
    assertThat(faulty.log()).containsExactly("COMPLETE_UPLOAD object");
  }

  @Test
  void anUploadThatSomebodyAbortedIsNoSuccess() throws IOException {
    PendingUpload pending = uploadOf("object", OURS);
    bare.put("object", Body.ofBytes(FOREIGN), Condition.NONE);
    bare.abortUpload(pending.upload());
    faulty.failBefore(Operation.COMPLETE_UPLOAD, 1, Kind.CONNECTION_LOST);

    assertFails(Kind.NO_SUCH_UPLOAD, () -> store.completeUpload(pending, Condition.NONE));
  }

  @Test
  void aPartThatArrivedASecondTimeWithAnotherEtagIsTakenAsItIsNow() throws IOException {
    completeAfterAnotherPart(OURS, Optional.of("mark"));
    assertThat(bytesOf("a")).isEqualTo(OURS);
  }

  @Test
  void aPartOfAnotherSizeIsNotTaken() throws IOException {
    assertFails(
        Kind.INVALID_REQUEST, () -> completeAfterAnotherPart(new byte[] {1}, Optional.of("mark")));
    assertThat(bare.list(ListRequest.flat("")).objects()).isEmpty();
  }

  @Test
  void partsThatOthersSentAreTakenOnlyAsTheyWereTold() {
    assertFails(Kind.INVALID_REQUEST, () -> completeAfterAnotherPart(FOREIGN, Optional.empty()));
  }

  private void completeAfterAnotherPart(byte[] second, Optional<String> writeId)
      throws IOException {
    EncryptingStore encrypting = new EncryptingStore(faulty);
    Upload upload = bare.createUpload("a");
    Part told = encrypting.uploadPart(upload, 1, Body.ofBytes(OURS));
    encrypting.uploadPart(upload, 1, Body.ofBytes(second));
    retrying(encrypting)
        .completeUpload(new PendingUpload(upload, List.of(told), writeId), Condition.NONE);
  }

  @Test
  void aLostAnswerIsFoundByItsMarkWhereEtagsTellNothing() throws IOException {
    for (Condition condition : List.of(Condition.NONE, Condition.IF_ABSENT)) {
      String key = "a-" + condition;
      EncryptingStore encrypting = new EncryptingStore(faulty);
      Upload upload = encrypting.createUpload(key, Optional.of("our-mark"));
      Part part = encrypting.uploadPart(upload, 1, Body.ofBytes(OURS));
      PendingUpload pending = new PendingUpload(upload, List.of(part), Optional.of("our-mark"));
      ObjectStore losing = losingTheFirstAnswer(encrypting);

      String etag = retrying(losing).completeUpload(pending, condition);

      assertThat(etag).isEqualTo(encrypting.head(key).etag());
    }
  }

  @Test
  void anObjectWithAnotherMarkIsNotOurs() throws IOException {
    EncryptingStore encrypting = new EncryptingStore(faulty);
    Upload upload = encrypting.createUpload("a", Optional.of("our-mark"));
    Part part = encrypting.uploadPart(upload, 1, Body.ofBytes(OURS));
    PendingUpload pending = new PendingUpload(upload, List.of(part), Optional.of("our-mark"));
    bare.put("a", Body.ofBytes(FOREIGN), Condition.NONE);
    bare.abortUpload(upload);
    faulty.failBefore(Operation.COMPLETE_UPLOAD, 1, Kind.CONNECTION_LOST);

    assertFails(
        Kind.NO_SUCH_UPLOAD, () -> retrying(encrypting).completeUpload(pending, Condition.NONE));

    assertThat(bytesOf("a")).isEqualTo(FOREIGN);
  }

  private LayeredStore retrying(ObjectStore inner) {
    return LayeredStores.retrying(inner, CONFIG, time, new SplittableRandom(7));
  }

  private static ObjectStore losingTheFirstAnswer(ObjectStore store) {
    return new StoreWrapper(store) {
      private boolean hasLost;

      @Override
      public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
        String etag = inner.completeUpload(pending, condition);
        if (!hasLost) {
          hasLost = true;
          throw StoreException.of(
              Kind.CONNECTION_LOST, Operation.COMPLETE_UPLOAD, pending.key(), "lost.");
        }
        return etag;
      }
    };
  }
}
