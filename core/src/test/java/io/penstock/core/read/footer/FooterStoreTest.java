/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.footer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FooterStoreTest {
  private static final String KEY =
      "t/part-00000-0f8fad5b-d9cb-469f-a165-70867728950e-c000.snappy.parquet";

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore bare = new InMemoryStore("lake", time);
  private final List<Operation> requests = new ArrayList<>();
  private final ObjectStore counted =
      new StoreWrapper(bare) {
        @Override
        protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
            throws IOException {
          requests.add(operation);
          return call.run();
        }
      };
  private final Footers footers = new Footers(time, 3_000);
  private final ObjectStore forgetting =
      LayeredStores.observed(counted, time, new FooterForgetter("", footers));
  private final FooterStore store =
      new FooterStore(forgetting, footers, FooterStoreTest::isOnce, 100, () -> 0);

  private static boolean isOnce(String key) {
    return key.contains("part-");
  }

  private byte[] put(String key, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    bare.put(key, Body.ofBytes(content), Condition.NONE);
    return content;
  }

  private void assertRead(byte[] content, Range range) throws IOException {
    Range.ByteSpan span = range.within(content.length);
    ObjectSlice slice = store.get(KEY, range, Optional.empty());
    assertThat(slice.start()).isEqualTo(span.start());
    assertThat(slice.bytes())
        .isEqualTo(Arrays.copyOfRange(content, (int) span.start(), (int) span.end()));
  }

  @Test
  void smallFilesOfATableAreReadWholeWithTheirStatus() throws IOException {
    Footers roomy = new Footers(time, 64_000);
    FooterStore reader = new FooterStore(counted, roomy, FooterStoreTest::isOnce, 100, () -> 900);
    for (int i = 0; i < 4; i++) {
      String key = "t/p=%d/%s".formatted(i, KEY.substring(2));
      byte[] content = put(key, 500 + i);
      requests.clear();
      String etag = reader.head(key).etag();
      ByteRange first = new ByteRange(4, 200);
      assertThat(reader.get(key, first, Optional.of(etag)).bytes())
          .isEqualTo(Arrays.copyOfRange(content, 4, 200));
      assertThat(requests).as("file %d", i).hasSize(i < 2 ? 2 : 1);
    }
  }

  @Test
  void smallFilesThatAreOpenedWithoutAStatusAreReadWhole() throws IOException {
    Footers roomy = new Footers(time, 64_000);
    FooterStore reader = new FooterStore(counted, roomy, FooterStoreTest::isOnce, 100, () -> 900);
    for (int i = 0; i < 4; i++) {
      String key = "t/p=%d/%s".formatted(i, KEY.substring(2));
      byte[] content = put(key, 500 + i);
      requests.clear();
      SuffixRange tail = new SuffixRange(reader.tailBytes(key));
      Optional<String> etag = Optional.of(reader.get(key, tail, Optional.empty()).meta().etag());
      assertThat(reader.get(key, new ByteRange(0, 200), etag).bytes())
          .isEqualTo(Arrays.copyOfRange(content, 0, 200));
      assertThat(requests).as("file %d", i).hasSize(i < 2 ? 2 : 1);
    }
  }

  @Test
  void smallFilesOfKnownSizeAreReadWhole() throws IOException {
    Footers roomy = new Footers(time, 64_000);
    FooterStore reader = new FooterStore(counted, roomy, FooterStoreTest::isOnce, 100, () -> 900);
    for (int i = 0; i < 4; i++) {
      String key = "t/p=%d/%s".formatted(i, KEY.substring(2));
      byte[] content = put(key, 500 + i);
      requests.clear();
      long start = content.length - reader.tailBytes(key, content.length);
      ByteRange tail = new ByteRange(start, content.length);
      Optional<String> etag = Optional.of(reader.get(key, tail, Optional.empty()).meta().etag());
      assertThat(reader.get(key, new ByteRange(0, 200), etag).bytes())
          .isEqualTo(Arrays.copyOfRange(content, 0, 200));
      assertThat(requests).as("file %d", i).hasSize(i < 1 ? 2 : 1);
    }
  }

  @Test
  void filesOfKnownSizeOfWhichOnlyFootersAreReadAreNotReadWholeForLong() throws IOException {
    Footers roomy = new Footers(time, 1_000_000);
    FooterStore reader = new FooterStore(counted, roomy, FooterStoreTest::isOnce, 100, () -> 900);
    for (int i = 0; i < 300; i++) {
      String key = "t/p=%d/%s".formatted(i, KEY.substring(2));
      put(key, 500);
      long tail = reader.tailBytes(key, 500);
      reader.get(key, new ByteRange(500 - tail, 500), Optional.empty());
      if (i >= 128) {
        assertThat(tail).as("file %d", i).isEqualTo(100);
      }
    }
  }

  @Test
  void noFileIsReadWholeThatLeavesNoRoomForOthers() throws IOException {
    FooterStore reader = new FooterStore(counted, footers, FooterStoreTest::isOnce, 10, () -> 900);
    for (int i = 0; i < 4; i++) {
      String key = "t/p=%d/%s".formatted(i, KEY.substring(2));
      put(key, 400);
      reader.head(key);
      requests.clear();
      reader.get(key, new ByteRange(0, 50), Optional.empty());
      assertThat(requests).hasSize(1);
    }
  }

  @Test
  void wholeFilesThatHadToGoBeforeTheyWereReadAreNotReadWholeAgain() throws IOException {
    Footers narrow = new Footers(time, 16_000); // about eight of these files
    FooterStore reader = new FooterStore(counted, narrow, FooterStoreTest::isOnce, 10, () -> 900);
    int tasks = 40;
    for (int i = 0; i < tasks; i++) {
      put("t/p=%d/%s".formatted(i, KEY.substring(2)), 700);
    }
    assertThat(asked(reader, 0, 1) + asked(reader, 1, 2)).isEqualTo(4); // nothing is known yet
    assertThat(asked(reader, 2, 8)).as("read whole").isEqualTo(6);
    time.advance(Duration.ofSeconds(11)); // those were used; that they go says nothing
    for (int turn = 0; turn < 4; turn++) {
      asked(reader, 0, tasks);
      time.advance(Duration.ofSeconds(11));
    }
    assertThat(narrow.shareBytes()).isLessThan(700);
    assertThat(asked(reader, 0, 8)).as("only footers came with the status").isEqualTo(16);
  }

  /** Returns the requests of tasks that all ask for a status before the first of them reads. */
  private int asked(FooterStore reader, int from, int to) throws IOException {
    requests.clear();
    List<Optional<String>> etags = new ArrayList<>();
    for (int i = from; i < to; i++) {
      etags.add(Optional.of(reader.head("t/p=%d/%s".formatted(i, KEY.substring(2))).etag()));
    }
    for (int i = from; i < to; i++) {
      String key = "t/p=%d/%s".formatted(i, KEY.substring(2));
      reader.get(key, new ByteRange(0, 50), etags.get(i - from));
    }
    return requests.size();
  }

  @Test
  void afterManyFilesThatWereReadInTimeFilesAreReadWholeAgain() throws IOException {
    Footers narrow = new Footers(time, 16_000);
    FooterStore reader = new FooterStore(counted, narrow, FooterStoreTest::isOnce, 10, () -> 900);
    for (int i = 0; i < 1_000; i++) {
      put("t/p=%d/%s".formatted(i, KEY.substring(2)), 700);
    }
    asked(reader, 0, 40);
    assertThat(narrow.shareBytes()).isLessThan(700);
    for (int i = 40; i < 900; i++) {
      asked(reader, i, i + 1);
    }
    assertThat(asked(reader, 900, 901)).isEqualTo(1);
  }

  @Test
  void theStatusAndTheFooterAreOneRequest() throws IOException {
    byte[] content = put(KEY, 500);
    assertThat(store.head(KEY).sizeBytes()).isEqualTo(500);
    assertThat(store.head(KEY)).isEqualTo(bare.head(KEY));
    assertRead(content, new SuffixRange(100));
    assertRead(content, new SuffixRange(8));
    assertRead(content, new ByteRange(450, 480));
    assertRead(content, new ByteRange(490, 700));
    assertThat(requests).containsExactly(Operation.GET);
    assertRead(content, new ByteRange(399, 480));
    assertRead(content, new SuffixRange(101));
    assertThat(requests).hasSize(3);
  }

  @Test
  void aSmallFileIsOneRequest() throws IOException {
    byte[] content = put(KEY, 80);
    store.head(KEY);
    assertRead(content, new SuffixRange(100));
    assertRead(content, new ByteRange(0, 80));
    assertThat(requests).containsExactly(Operation.GET);
  }

  @Test
  void anEmptyFileHasAStatus() throws IOException {
    put(KEY, 0);
    assertThat(store.head(KEY).sizeBytes()).isZero();
  }

  @Test
  void aMissingFileIsMissing() {
    assertThatThrownBy(() -> store.head(KEY))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.NO_SUCH_KEY));
  }

  @Test
  void onlyFilesThatAreWrittenOnceAreKept() throws IOException {
    put("t/state", 500);
    store.head("t/state");
    store.head("t/state");
    assertThat(requests).hasSize(2);
  }

  @Test
  void whatThisProcessChangesIsForgotten() throws IOException {
    put(KEY, 80);
    store.head(KEY);
    store.delete(KEY);
    assertThatThrownBy(() -> store.head(KEY)).isInstanceOf(StoreException.class);
    put(KEY, 80);
    store.head(KEY);
    store.deleteAll(List.of(KEY));
    assertThatThrownBy(() -> store.head(KEY)).isInstanceOf(StoreException.class);
    put(KEY, 80);
    store.head(KEY);
    store.put(KEY, Body.ofBytes(new byte[70]), Condition.NONE);
    assertThat(store.head(KEY).sizeBytes()).isEqualTo(70);
  }

  @Test
  void anotherReaderOfTheProcessFindsNothing() throws IOException {
    put(KEY, 80);
    store.head(KEY);
    new FooterStore(forgetting, footers, FooterStoreTest::isOnce, 100, () -> 0).head(KEY);
    assertThat(requests).containsExactly(Operation.GET, Operation.GET);
  }

  @Test
  void aChangeByOneReaderIsSeenByAll() throws IOException {
    put(KEY, 80);
    store.head(KEY);
    new FooterStore(forgetting, footers, FooterStoreTest::isOnce, 100, () -> 0).delete(KEY);
    assertThatThrownBy(() -> store.head(KEY)).isInstanceOf(StoreException.class);
  }

  @Test
  void anObjectWhoseBytesMayNotBeReadHasAStatus() throws IOException {
    put(KEY, 500);
    ObjectStore archived =
        new StoreWrapper(counted) {
          @Override
          public ObjectSlice get(String key, Range range, Optional<String> ifMatch)
              throws IOException {
            throw StoreException.of(
                StoreException.Kind.ACCESS_DENIED, Operation.GET, key, "InvalidObjectState");
          }
        };
    assertThat(
            new FooterStore(archived, footers, FooterStoreTest::isOnce, 100, () -> 0)
                .head(KEY)
                .sizeBytes())
        .isEqualTo(500);
  }

  @Test
  void aStatusThatTheStoreDoesNotAnswerIsNotAskedForTwice() {
    ObjectStore silent =
        new StoreWrapper(counted) {
          @Override
          public ObjectSlice get(String key, Range range, Optional<String> ifMatch)
              throws IOException {
            throw StoreException.of(
                StoreException.Kind.UNREACHABLE, Operation.GET, key, "no answer");
          }
        };
    assertThatThrownBy(
            () -> new FooterStore(silent, footers, FooterStoreTest::isOnce, 100, () -> 0).head(KEY))
        .hasMessageContaining("no answer");
    assertThat(requests).isEmpty();
  }

  @Test
  void anAnswerThatAChangeHasOvertakenIsNotKept() throws IOException {
    put(KEY, 80);
    ObjectStore slow =
        new StoreWrapper(counted) {
          @Override
          public ObjectSlice get(String key, Range range, Optional<String> ifMatch)
              throws IOException {
            ObjectSlice slice = super.get(key, range, ifMatch);
            forgetting.delete(key);
            return slice;
          }
        };
    FooterStore reader = new FooterStore(slow, footers, FooterStoreTest::isOnce, 100, () -> 0);
    assertThat(reader.head(KEY).sizeBytes()).isEqualTo(80);
    assertThatThrownBy(() -> reader.head(KEY)).isInstanceOf(StoreException.class);
  }

  @Test
  void aFooterIsKeptForReadersOfItsVersion() throws IOException {
    byte[] content = put(KEY, 500);
    Optional<String> etag = Optional.of(store.head(KEY).etag());
    time.advance(Duration.ofHours(1));
    assertThat(store.get(KEY, new SuffixRange(8), etag).bytes())
        .isEqualTo(Arrays.copyOfRange(content, 492, 500));
    assertThat(requests).hasSize(1);
    store.get(KEY, new SuffixRange(8), Optional.empty());
    assertThat(requests).hasSize(2);
  }

  @Test
  void anotherProcessesDeletionIsSeenSecondsLater() throws IOException {
    put(KEY, 80);
    store.head(KEY);
    bare.delete(KEY);
    assertThat(store.head(KEY).sizeBytes()).isEqualTo(80);
    time.advance(Duration.ofSeconds(11));
    assertThatThrownBy(() -> store.head(KEY)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.get(KEY, new SuffixRange(100), Optional.empty()))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void anotherVersionIsNeverMixedIn() throws IOException {
    put(KEY, 500);
    store.head(KEY);
    byte[] other = put(KEY, 501);
    String etag = bare.head(KEY).etag();
    ObjectSlice slice = store.get(KEY, new SuffixRange(10), Optional.of(etag));
    assertThat(slice.bytes()).isEqualTo(Arrays.copyOfRange(other, 491, 501));
    assertThat(store.head(KEY).etag()).isEqualTo(etag);
  }

  @Test
  void theLimitOfBytesHolds() throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      keys.add(KEY.replace("00000-", "%05d-".formatted(i)));
      put(keys.get(i), 500);
      store.head(keys.get(i));
      assertThat(footers.bytes()).isLessThanOrEqualTo(3_000);
    }
    requests.clear();
    store.head(keys.get(29));
    assertThat(requests).isEmpty();
    store.head(keys.get(0));
    assertThat(requests).hasSize(1);
  }
}
