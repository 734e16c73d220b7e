/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Writer WRITER = new Writer(0, "app-1", "host \"a\"", 11, "query-1", "run-a");

  private final InMemoryStore store = new InMemoryStore("lake", new VirtualTime(NOW));
  private final Claims.Shelf shelf = new StoreShelf(store);
  private final Claims claims = new Claims(shelf);

  @Test
  void eachClaimIsHigherThanAllBefore() throws IOException {
    assertThat(claims.claim(WRITER, NOW).epoch()).isEqualTo(1);
    assertThat(claims.claim(WRITER, NOW).epoch()).isEqualTo(2);
    store.put(
        "query/checkpoint/_penstock_writers/000041", Body.ofBytes(new byte[1]), Condition.NONE);
    assertThat(claims.claim(WRITER, NOW).epoch()).isEqualTo(42);
  }

  @Test
  void aClaimTellsWhoMadeItInPlainJson() throws IOException {
    claims.claim(WRITER, NOW);
    byte[] bytes =
        store
            .get(
                "query/checkpoint/_penstock_writers/000001",
                new ByteRange(0, 1000),
                Optional.empty())
            .bytes();
    assertThat(new String(bytes, StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"epoch\":1,\"application\":\"app-1\",\"host\":\"host__a_\",\"pid\":11,\"query\":\"query-1\",\"run\":\"run-a\",\"started\":\"2026-01-01T00:00:00Z\"}\n");
  }

  @Test
  void theNewestClaimNamesItsRun() throws IOException {
    assertThat(claims.newestEpoch()).isZero();
    assertThat(claims.newest()).isEmpty();
    claims.claim(WRITER, NOW);
    Writer second = claims.claim(new Writer(0, "app-2", "host-b", 22, "query-1", "run-b"), NOW);
    assertThat(claims.newestEpoch()).isEqualTo(2);
    assertThat(claims.newest()).contains(second);
  }

  @Test
  void aClaimThatCannotBeReadNamesNobody() throws IOException {
    store.put(
        "query/checkpoint/_penstock_writers/000041", Body.ofBytes(new byte[9]), Condition.NONE);
    assertThat(claims.newestEpoch()).isEqualTo(41);
    assertThat(claims.newest()).isEmpty();
  }

  @Test
  void onlyTheLastNineHundredAreKept() throws IOException {
    for (int i = 0; i < 903; i++) {
      claims.claim(WRITER, NOW);
    }
    assertThat(shelf.names()).hasSize(900).contains("000903", "000004");
  }

  @Test
  void whatIsNoClaimIsLeftAlone() throws IOException {
    store.put(
        "query/checkpoint/_penstock_writers/notes.txt", Body.ofBytes(new byte[1]), Condition.NONE);
    assertThat(claims.claim(WRITER, NOW).epoch()).isEqualTo(1);
  }

  @Test
  void runsThatClaimAtOnceGetEpochsOfTheirOwn() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Writer>> all =
          java.util.Collections.nCopies(64, () -> new Claims(shelf).claim(WRITER, NOW));
      Set<Long> epochs = new HashSet<>();
      for (Future<Writer> claimed : threads.invokeAll(all)) {
        epochs.add(claimed.get().epoch());
      }
      assertThat(epochs).hasSize(64);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aPlaceWhereEveryEpochIsTakenIsGivenUp() {
    Claims.Shelf full =
        new Claims.Shelf() {
          @Override
          public List<String> names() {
            return List.of();
          }

          @Override
          public boolean create(String name, byte[] content) {
            return false;
          }

          @Override
          public Optional<byte[]> read(String name) {
            return Optional.empty();
          }

          @Override
          public void delete(String name) {}
        };
    assertThatThrownBy(() -> new Claims(full).claim(WRITER, NOW))
        .hasMessageStartingWith("100 other runs claimed the checkpoint while this run tried to");
  }

  @Test
  void aMarkNamesItsWriterAndHostileOnesNobody() {
    Writer writer = new Writer(17, "app-1", "host-a", 11, "query-1", "run-a");
    assertThat(Writer.ofWriteId(writer.writeId("f00"))).contains(writer);
    for (String writeId :
        List.of("", ";;;", "0123abcd", "epoch=-3;pid=1", "epoch=x;pid=1", "epoch=9")) {
      assertThat(Writer.ofWriteId(writeId)).as(writeId).isEmpty();
    }
  }
}
