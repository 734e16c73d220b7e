/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static io.penstock.core.hedge.Fixture.BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.request.Attempt;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Parts that are hedged on stores with ETags of their own, or that lose the part of a cut attempt.
 */
class HedgedPartTest {
  private final Fixture s3 = new Fixture();

  @Test
  void aStoreWhoseEtagsAreNotOfTheContentGetsThePartOnceMoreAndNoHedgesFromThenOn()
      throws IOException {
    ObjectStore salted =
        new StoreWrapper(s3.slow) {
          private int answers;

          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            Attempt.current().orElseThrow().sent();
            return call.run();
          }

          @Override
          public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
            int number = numbers.first();
            Attempt.current().orElseThrow().sent();
            Part part = inner.uploadPart(upload, number, body);
            return new Part(number, "salted-" + ++answers, part.sizeBytes());
          }
        };
    LayeredStore hedged = s3.hedged(salted, Runnable::run);
    Upload upload = s3.memory.createUpload("c");

    s3.slow.takes(9_000).takes(80).takes(50);
    assertThat(hedged.uploadPart(upload, 1, BYTES).etag()).isEqualTo("salted-2");
    assertThat(s3.slow.requests()).isEqualTo(3);

    s3.slow.takes(3_000);
    hedged.uploadPart(upload, 2, BYTES);
    assertThat(s3.slow.requests()).isEqualTo(4);
  }

  /** A store that, like MinIO, loses the part of a number when an attempt at it is cut late. */
  private final class Dropping extends StoreWrapper {
    Dropping() {
      super(s3.slow);
    }

    @Override
    public StoreTraits traits() {
      return StoreTraits.unknown(PartNumbering.CONSECUTIVE);
    }

    @Override
    public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
      int number = numbers.first();
      try {
        return inner.uploadPart(upload, number, body);
      } finally {
        if (Attempt.current().orElseThrow().cutBecause().isPresent()) {
          s3.memory.uploadPart(upload, number, Body.ofBytes(new byte[] {0}));
        }
      }
    }
  }

  @Test
  void aHedgedPartSurvivesAStoreThatDropsThePartOfACutAttempt() throws IOException {
    LayeredStore hedged = s3.hedged(new Dropping(), Runnable::run);
    Upload upload = s3.memory.createUpload("c");
    s3.slow.takes(60_000).takes(80);

    Part part = hedged.uploadPart(upload, PartNumbering.SPACED.of(0), BYTES);

    assertThat(part.number()).isEqualTo(2);
    assertThat(s3.time.nowNanos()).isEqualTo(1_090_000_000L);
    hedged.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
    assertThat(s3.memory.head("c").sizeBytes()).isEqualTo(3);
  }

  @Test
  void withoutSpareNumbersAPartIsHedgedOnlyWhereUploadsSurviveCuts() throws IOException {
    LayeredStore hedged = s3.hedged(new Dropping(), Runnable::run);
    Upload upload = s3.memory.createUpload("c");
    s3.slow.takes(3_000);

    Part part = hedged.uploadPart(upload, PartNumbering.CONSECUTIVE.of(0), BYTES);

    assertThat(s3.slow.requests()).isEqualTo(1);
    hedged.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
  }
}
