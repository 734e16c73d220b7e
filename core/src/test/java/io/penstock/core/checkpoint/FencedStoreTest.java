/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.golden.Golden;
import io.penstock.core.metrics.AttemptMeter;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FencedStoreTest {
  private static final String FILE = "checkpoint/state/0/3/7.delta";
  private static final Body ONE = Body.ofBytes(new byte[] {1});
  private static final Body TWO = Body.ofBytes(new byte[] {2});
  private static final Writer EARLIER = new Writer(16, "app-1", "host-a", 11, "query-1", "run-a");
  private static final Writer LATER = new Writer(17, "app-2", "host-b", 22, "query-1", "run-b");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore memory = new InMemoryStore("lake", time);
  private final StoreMetrics metrics = new StoreMetrics();
  private final ObjectStore counted =
      LayeredStores.observed(memory, time, new AttemptMeter(time, metrics, new RequestEvents()));
  private final ObjectStore earlier = of(EARLIER, 1);
  private final ObjectStore later = of(LATER, 2);

  private ObjectStore of(Writer writer, long seed) {
    return new FencedStore(counted, () -> writer, new SplittableRandom(seed));
  }

  private int content() throws IOException {
    return memory.get(FILE, new ByteRange(0, 1), Optional.empty()).bytes()[0];
  }

  private long requests(Operation operation) {
    return metrics.counts().get(operation).attempts();
  }

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      Writer unclaimed = new Writer(0, "app-1", "host-a", 11, "query-1", "");
      return new FencedStore(
          new InMemoryStore("lake", time), () -> unclaimed, new SplittableRandom(3));
    }
  }

  @Test
  void aNewFileIsOneRequestWhetherItMayReplaceOrNot() throws IOException {
    earlier.put(FILE, ONE, Condition.NONE);
    earlier.put("checkpoint/offsets/7", ONE, Condition.IF_ABSENT);
    assertThat(requests(Operation.PUT)).isEqualTo(2);
    assertThat(requests(Operation.HEAD)).isZero();
    assertThat(Writer.ofWriteId(memory.head(FILE).writeId().orElseThrow())).contains(EARLIER);
  }

  @Test
  void whoWasThereFirstIsNamed() throws IOException {
    later.put("checkpoint/offsets/7", ONE, Condition.IF_ABSENT);
    assertThatThrownBy(() -> earlier.put("checkpoint/offsets/7", TWO, Condition.IF_ABSENT))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("PUT s3://lake/checkpoint/offsets/7: ")
        .hasMessageEndingWith(
            "This file was written at 2026-01-01T00:00:00Z by application app-2 on host-b (pid 22,"
                + " run run-b, epoch 17). Two queries must not use the same checkpoint: stop one of"
                + " the queries, or give each a checkpoint of its own.");
  }

  @Test
  void whatNobodySignedWasWrittenByAProgramThatIsNotKnown() throws IOException {
    memory.put("checkpoint/offsets/7", ONE, Condition.NONE);
    assertThatThrownBy(() -> earlier.put("checkpoint/offsets/7", TWO, Condition.IF_ABSENT))
        .hasMessageContaining("by an unknown program");
  }

  @Test
  void aRunReplacesItsOwnFileAndThatOfAnEarlierOne() throws IOException {
    earlier.put(FILE, ONE, Condition.NONE);
    earlier.put(FILE, TWO, Condition.NONE);
    assertThat(content()).isEqualTo(2);
    later.put(FILE, ONE, Condition.NONE);
    assertThat(content()).isEqualTo(1);
    assertThat(Writer.ofWriteId(memory.head(FILE).writeId().orElseThrow())).contains(LATER);
  }

  @Test
  void aRunThatWasPausedDoesNotReplaceWhatALaterOneWrote() throws IOException {
    later.put(FILE, TWO, Condition.NONE);
    assertThatThrownBy(() -> earlier.put(FILE, ONE, Condition.NONE))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("PUT s3://lake/checkpoint/state/0/3/7.delta: ")
        .hasMessageEndingWith(
            "This file was written by application app-2 on host-b (pid 22, run run-b, epoch 17),"
                + " which took over the checkpoint from this run, application app-1 on host-a (pid"
                + " 11, run run-a, epoch 16). This run must stop; the query continues in the other"
                + " run.");
    assertThat(content()).isEqualTo(2);
  }

  @Test
  void whatNobodySignedIsReplaced() throws IOException {
    memory.put(FILE, ONE, Condition.NONE);
    earlier.put(FILE, TWO, Condition.NONE);
    assertThat(content()).isEqualTo(2);
    assertThat(requests(Operation.PUT)).isEqualTo(2);
    assertThat(requests(Operation.HEAD)).isEqualTo(1);
  }

  @Test
  void aLaterRunThatWritesBetweenLookAndReplacementIsNotReplaced() throws IOException {
    memory.put(FILE, ONE, Condition.NONE);
    ObjectStore raced =
        new StoreWrapper(memory) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            T answer = call.run();
            if (operation == Operation.HEAD && memory.head(FILE).writeId().isEmpty()) {
              later.put(FILE, TWO, Condition.NONE);
            }
            return answer;
          }
        };
    ObjectStore fenced = new FencedStore(raced, () -> EARLIER, new SplittableRandom(4));
    assertThatThrownBy(() -> fenced.put(FILE, ONE, Condition.NONE))
        .isInstanceOf(StoreException.class);
    assertThat(content()).isEqualTo(2);
  }

  @Test
  void aWriteIdIsReadForEver() throws IOException {
    String kept = Golden.text("write-id.txt", LATER.writeId("0123abcd") + "\n");
    assertThat(Writer.ofWriteId(kept.strip())).contains(LATER);
  }

  @Test
  void aLargeFileIsSignedAndFencedAsASmallOne() throws IOException {
    upload(later);
    assertThat(Writer.ofWriteId(memory.head(FILE).writeId().orElseThrow())).contains(LATER);
    assertThatThrownBy(() -> upload(earlier)).isInstanceOf(StoreException.class);
    upload(later);
    assertThat(Writer.ofWriteId(memory.head(FILE).writeId().orElseThrow())).contains(LATER);
  }

  private static void upload(ObjectStore store) throws IOException {
    Upload upload = store.createUpload(FILE);
    Part part = store.uploadPart(upload, 1, ONE);
    store.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
  }

  /** The PUT acted, and its answer was lost; the look of the repetition failed. */
  @Test
  void anOwnFileIsNotReportedAsAnotherQuerys() throws IOException {
    FaultyStore faulty = new FaultyStore(memory);
    faulty.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);
    faulty.failBefore(Operation.HEAD, 1, Kind.EXPIRED_CREDENTIALS);
    ObjectStore retrying =
        LayeredStores.retrying(
            faulty, RetryConfig.from(Settings.of(Map.of())), time, new SplittableRandom(1));
    new FencedStore(retrying, () -> LATER, new SplittableRandom(2))
        .put(FILE, ONE, Condition.IF_ABSENT);
    assertThat(content()).isEqualTo(1);
  }

  @Test
  void withoutAClaimAnythingIsReplacedInOneRequest() throws IOException {
    later.put(FILE, TWO, Condition.NONE);
    of(new Writer(0, "app-1", "host-a", 11, "query-1", ""), 5).put(FILE, ONE, Condition.NONE);
    assertThat(content()).isEqualTo(1);
    assertThat(requests(Operation.PUT)).isEqualTo(2);
  }
}
