/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The behaviour of every {@link ObjectStore} over a bucket that keeps versions. */
public abstract class VersionsContract implements StoreUnderTest {
  private ObjectStore store;
  private String prefix;

  protected abstract ObjectStore openStore() throws Exception;

  @Override
  public final ObjectStore store() {
    return store;
  }

  @Override
  public final String prefix() {
    return prefix;
  }

  @BeforeEach
  void openTheStore(TestInfo test) throws Exception {
    store = openStore();
    prefix = "versions/" + test.getTestMethod().orElseThrow().getName() + "/";
    deleteEverything();
  }

  @AfterEach
  void closeTheStore() throws Exception {
    deleteEverything();
    store.close();
  }

  private void deleteEverything() throws IOException {
    for (ObjectVersion version : versions(ListRequest.flat(prefix))) {
      assertThat(store.deleteVersions(Map.of(version.key(), version.versionId()))).isEmpty();
    }
  }

  private List<ObjectVersion> versions(ListRequest first) throws IOException {
    List<ObjectVersion> all = new ArrayList<>();
    ListRequest request = first;
    while (true) {
      VersionsPage page = store.listVersions(request);
      assertThat(page.versions()).hasSizeLessThanOrEqualTo(request.maxKeys());
      all.addAll(page.versions());
      if (page.nextToken().isEmpty()) {
        return all;
      }
      request = request.next(page.nextToken().get());
    }
  }

  private List<ObjectVersion> of(String name) throws IOException {
    return versions(ListRequest.flat(prefix + name));
  }

  private static ObjectVersion marker(List<ObjectVersion> versions) {
    return versions.stream().filter(ObjectVersion::isMarker).findFirst().orElseThrow();
  }

  private static List<ObjectVersion> objects(List<ObjectVersion> versions) {
    return versions.stream().filter(version -> !version.isMarker()).toList();
  }

  @Test
  void aDeletionLeavesTheVersionAndAMarker() throws IOException {
    String etag = put("a", content(3));
    assertThat(of("a")).singleElement().matches(ObjectVersion::isLatest);
    store.deleteAll(List.of(prefix + "a"));
    assertFails(Kind.NO_SUCH_KEY, () -> store.head(prefix + "a"));
    List<ObjectVersion> versions = of("a");
    assertThat(versions).hasSize(2);
    assertThat(marker(versions)).matches(ObjectVersion::isLatest);
    ObjectVersion old = objects(versions).get(0);
    assertThat(old.isLatest()).isFalse();
    assertThat(old.etag()).isEqualTo(etag);
    assertThat(old.sizeBytes()).isEqualTo(3);
    assertThat(store.getVersion(old.key(), old.versionId(), new SuffixRange(1000)).bytes())
        .isEqualTo(content(3));
    assertThat(store.getVersion(old.key(), old.versionId(), new ByteRange(1, 2)).bytes())
        .isEqualTo(new byte[] {content(3)[1]});
  }

  @Test
  void withoutItsMarkerTheObjectIsBack() throws IOException {
    String etag = put("a", content(3));
    store.delete(prefix + "a");
    ObjectVersion marker = marker(of("a"));
    Map<String, String> deletion = Map.of(marker.key(), marker.versionId());
    assertThat(store.deleteVersions(deletion)).isEmpty();
    assertThat(store.head(prefix + "a").etag()).isEqualTo(etag);
    assertThat(store.deleteVersions(deletion)).as("again").isEmpty();
    assertThat(store.head(prefix + "a").etag()).isEqualTo(etag);
    store.delete(prefix + "a");
    assertThat(store.deleteVersions(deletion)).as("under another marker").isEmpty();
    assertFails(Kind.NO_SUCH_KEY, () -> store.head(prefix + "a"));
  }

  @Test
  void theOldestVersionIsBackWhenTheNewerOnesAreDeleted() throws IOException {
    String first = put("a", content(1));
    put("a", content(2));
    List<ObjectVersion> versions = of("a");
    assertThat(versions).extracting(ObjectVersion::sizeBytes).containsExactly(2L, 1L);
    assertThat(versions).extracting(ObjectVersion::isLatest).containsExactly(true, false);
    assertThat(store.deleteVersions(Map.of(prefix + "a", versions.get(0).versionId()))).isEmpty();
    assertThat(store.head(prefix + "a").etag()).isEqualTo(first);
  }

  @Test
  void pagesShowEachVersionOnce() throws IOException {
    for (int round = 0; round < 3; round++) {
      for (String name : List.of("a", "b b", "c+d/e", "f")) {
        put(name, content(round + 1));
      }
      store.delete(prefix + "b b");
    }
    List<ObjectVersion> whole = of("");
    assertThat(whole).hasSize(15);
    for (int size : new int[] {2, 4}) {
      List<ObjectVersion> paged = versions(ListRequest.flat(prefix).limit(size));
      assertThat(paged).as("%d a page", size).containsExactlyInAnyOrderElementsOf(whole);
      assertThat(paged).extracting(ObjectVersion::key).isSorted();
    }
  }

  @Test
  void aListingMayBeginBehindAKeyAndLeaveOutDirectories() throws IOException {
    for (String name : List.of("a", "b", "b", "c", "d/e")) {
      put(name, content(1));
    }
    assertThat(versions(ListRequest.level(prefix).after(prefix + "a")))
        .extracting(version -> version.key().substring(prefix.length()))
        .containsExactly("b", "b", "c");
  }

  @Test
  void manyVersionsGoByOneRequest() throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      put("k" + i, content(1));
      keys.add(prefix + "k" + i);
    }
    store.deleteAll(keys);
    Map<String, String> markers = new LinkedHashMap<>();
    of("").stream()
        .filter(ObjectVersion::isMarker)
        .forEach(marker -> markers.put(marker.key(), marker.versionId()));
    assertThat(store.deleteVersions(markers)).isEmpty();
    assertThat(keysUnder("")).hasSize(30);
  }

  @Test
  protected void aVersionOfAKeyThatXmlCannotCarryGoesToo() throws IOException {
    String odd = prefix + "a\u0001b";
    put("a\u0001b", content(1));
    put("plain", content(1));
    store.delete(odd);
    store.delete(prefix + "plain");
    Map<String, String> markers = new LinkedHashMap<>();
    of("").stream()
        .filter(ObjectVersion::isMarker)
        .forEach(marker -> markers.put(marker.key(), marker.versionId()));
    assertThat(markers).containsOnlyKeys(odd, prefix + "plain");
    assertThat(store.deleteVersions(markers)).isEmpty();
    assertThat(store.head(odd).sizeBytes()).isEqualTo(1);
    assertThat(store.head(prefix + "plain").sizeBytes()).isEqualTo(1);
  }

  @Test
  void aVersionThatDoesNotExistCannotBeRead() throws IOException {
    put("a", content(1));
    String other = of("a").get(0).versionId();
    store.delete(prefix + "a");
    assertThat(store.deleteVersions(Map.of(prefix + "a", other))).isEmpty();
    assertFails(Kind.NO_SUCH_KEY, () -> store.getVersion(prefix + "a", other, new SuffixRange(10)));
  }
}
