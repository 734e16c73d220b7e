/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static io.penstock.core.hedge.Fixture.BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.sending.LayeredStore;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Conditional PUTs that are hedged because their write ids tell whose object is there. */
class HedgedWriteIdTest {
  private final Fixture s3 = new Fixture();

  /** Writes at once and answers late, so that a second attempt meets the first one's object. */
  private ObjectStore answeringLate() {
    return new StoreWrapper(s3.slow) {
      @Override
      public String put(String key, Body body, Condition condition) throws IOException {
        String etag = s3.memory.put(key, body, condition);
        s3.slow.list(ListRequest.flat(""));
        return etag;
      }
    };
  }

  @Test
  void aMarkedPutIsHedgedAndARefusalBecauseOfItselfIsItsSuccess() throws IOException {
    LayeredStore hedged = s3.hedged(answeringLate(), Runnable::run);
    s3.slow.takes(60_000).takes(20);
    String etag = hedged.put("b", BYTES, Condition.IF_ABSENT.withWriteId("mine"));
    assertThat(etag).isEqualTo("5289df737df57326fcdd22597afb1fac");
    assertThat(s3.time.nowNanos()).isEqualTo(1_030_000_000L); // the first sees its cut
    assertThat(s3.memory.head("b").writeId()).contains("mine");
  }

  @Test
  void aMarkedPutThatCannotSeeWhoseObjectIsInItsWayLeavesItToTheOtherAttempts() throws IOException {
    LayeredStore hedged = s3.hedged(answeringLate(), Runnable::run);
    s3.slow.takes(60_000).fails(20, Kind.THROTTLED);
    String etag = hedged.put("b", BYTES, Condition.IF_ABSENT.withWriteId("mine"));
    assertThat(etag).isEqualTo("5289df737df57326fcdd22597afb1fac");
  }

  /** The first attempt is refused because of the hedge's object, and its look at it fails. */
  @Test
  void aLoserThatCannotSeeWhoseObjectIsInItsWayNeverReplacesTheAnswer() throws IOException {
    LayeredStore hedged =
        s3.hedged(
            new StoreWrapper(s3.slow) {
              private int puts;

              @Override
              public String put(String key, Body body, Condition condition) throws IOException {
                if (puts++ == 0) {
                  try {
                    s3.slow.list(ListRequest.flat("")); // the hedge comes, writes and is answered
                  } catch (StoreException e) {
                    assertThat(e).hasMessageContaining("Socket closed");
                  }
                }
                return s3.memory.put(key, body, condition);
              }
            },
            Runnable::run);
    s3.slow.takes(1_500);
    String etag = hedged.put("b", BYTES, Condition.IF_ABSENT.withWriteId("mine"));
    assertThat(etag).isEqualTo("5289df737df57326fcdd22597afb1fac");
    assertThat(s3.memory.head("b").writeId()).contains("mine");
  }

  @Test
  void aMarkedPutThatFindsAnothersObjectIsRefusedByWhicheverAttempt() throws IOException {
    s3.slow.takes(60_000).takes(20).takes(20);
    s3.memory.put("b", BYTES, Condition.IF_ABSENT.withWriteId("theirs"));
    assertThatThrownBy(() -> s3.store.put("b", BYTES, Condition.IF_ABSENT.withWriteId("mine")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION_FAILED));
    assertThat(s3.memory.head("b").writeId()).contains("theirs");
    assertThat(s3.time.nowNanos()).isEqualTo(1_050_000_000L);
  }

  @Test
  void aMarkedPutThatIsRefusedAtOnceAsksNothingMore() throws IOException {
    s3.memory.put("b", BYTES, Condition.NONE);
    assertThatThrownBy(() -> s3.store.put("b", BYTES, Condition.IF_ABSENT.withWriteId("mine")))
        .isInstanceOf(StoreException.class);
    assertThat(s3.slow.requests()).isEqualTo(1);
  }
}
