/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.replaced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.core.time.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReplacedFilesTest {
  private static final String KEY = "table/part-0.parquet";
  private static final ByteRange HEAD = new ByteRange(0, 3);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore store = new InMemoryStore("lake", time);
  private final ReplacedFiles files = new ReplacedFiles(store, time, Duration.ofHours(1));

  private String put(String content) throws IOException {
    Body body = Body.ofBytes(content.getBytes(StandardCharsets.UTF_8));
    return store.put(KEY, body, Condition.NONE);
  }

  private static String text(ObjectSlice slice) {
    return new String(slice.bytes(), StandardCharsets.UTF_8);
  }

  private ObjectStore view() {
    return files.withFile(store, KEY, OptionalLong.empty());
  }

  @Test
  void aFileThatIsDeletedWhileItIsReadIsReadOn() throws IOException {
    store.keepVersions();
    String etag = put("content");
    ObjectStore view = view();
    assertThat(text(view.get(KEY, HEAD, Optional.empty()))).isEqualTo("con");

    store.delete(KEY);
    assertThat(text(view.get(KEY, new SuffixRange(4), Optional.of(etag)))).isEqualTo("tent");
    ByteArrayOutputStream landed = new ByteArrayOutputStream();
    view.read(KEY, HEAD, etag, (start, bytes, from, count) -> landed.write(bytes, from, count));
    assertThat(landed.toString(StandardCharsets.UTF_8)).isEqualTo("con");
    assertThat(view.head(KEY).sizeBytes()).isEqualTo(7);
    assertThat(view.head(KEY).etag()).isEqualTo(etag);
    // Another version would be mixed with what was read before.
    assertIsGone(view, StoreException.Kind.PRECONDITION_FAILED, Optional.of("other"));
  }

  @Test
  void theOneContentOfADeletedFileIsFoundForAWhile() throws IOException {
    store.keepVersions();
    put("content");
    assertThat(files.find(KEY, OptionalLong.empty())).as("it is there").isEmpty();
    store.delete(KEY);
    store.put(KEY + ".crc", Body.ofBytes(new byte[1]), Condition.NONE);

    assertThat(files.find(KEY, OptionalLong.of(7))).isPresent();
    assertThat(files.find(KEY, OptionalLong.of(8))).as("not what was planned").isEmpty();
    assertThat(files.find("table/part", OptionalLong.empty())).as("another key").isEmpty();

    time.advance(Duration.ofHours(1));
    assertThat(files.find(KEY, OptionalLong.of(7))).isPresent();
    time.advance(Duration.ofMillis(1));
    assertThat(files.find(KEY, OptionalLong.of(7))).as("too long ago").isEmpty();
  }

  /**
   * As versitygw answers: the marker has the object's time, and the object that of its deletion.
   */
  private static final class SwappedTimes extends StoreWrapper {
    SwappedTimes(ObjectStore inner) {
      super(inner);
    }

    @Override
    public VersionsPage listVersions(ListRequest request) throws IOException {
      VersionsPage page = inner.listVersions(request);
      Instant first = page.versions().get(0).lastModified();
      Instant second = page.versions().get(1).lastModified();
      return new VersionsPage(
          List.of(at(page.versions().get(0), second), at(page.versions().get(1), first)),
          page.nextToken());
    }

    private static ObjectVersion at(ObjectVersion of, Instant when) {
      return new ObjectVersion(
          of.key(),
          of.versionId(),
          of.isMarker(),
          of.isLatest(),
          of.sizeBytes(),
          of.etag(),
          when,
          of.isArchived());
    }
  }

  @Test
  void theTimeOfTheDeletionCountsWhereverTheStoreTellsIt() throws IOException {
    store.keepVersions();
    put("content");
    time.advance(Duration.ofDays(30));
    store.delete(KEY);
    ReplacedFiles swapped = new ReplacedFiles(new SwappedTimes(store), time, Duration.ofHours(1));
    assertThat(files.find(KEY, OptionalLong.of(7))).isPresent();
    assertThat(swapped.find(KEY, OptionalLong.of(7))).isPresent();
    time.advance(Duration.ofHours(2));
    assertThat(files.find(KEY, OptionalLong.of(7))).isEmpty();
    assertThat(swapped.find(KEY, OptionalLong.of(7))).isEmpty();
  }

  @Test
  void noneOfSeveralContentsIsChosen() throws IOException {
    store.keepVersions();
    put("content");
    put("another");
    store.delete(KEY);
    assertThat(files.find(KEY, OptionalLong.empty())).isEmpty();
    assertIsGone(view(), StoreException.Kind.NO_SUCH_KEY, Optional.empty());
  }

  @Test
  void nothingIsFoundWhereNoVersionsAreKeptOrNoneIsWanted() throws IOException {
    put("content");
    store.delete(KEY);
    assertIsGone(view(), StoreException.Kind.NO_SUCH_KEY, Optional.empty());

    store.keepVersions();
    put("content");
    store.delete(KEY);
    ReplacedFiles off = new ReplacedFiles(store, time, Duration.ZERO);
    assertThat(off.find(KEY, OptionalLong.empty())).isEmpty();
    assertThat(off.withFile(store, KEY, OptionalLong.empty())).isSameAs(store);
  }

  private static void assertIsGone(
      ObjectStore view, StoreException.Kind kind, Optional<String> etag) {
    assertThatThrownBy(() -> view.get(KEY, HEAD, etag))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
