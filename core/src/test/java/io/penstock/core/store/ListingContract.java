/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of listings: their order, their pages, and what a prefix is. */
interface ListingContract extends StoreUnderTest {
  @Test
  default void keysAreListedInUtf8Order() throws IOException {
    List<String> sorted = List.of("-", "0", "a", "a!", "a/b", "a0", "ü", "\uffee", "😀");
    List<String> shuffled = new ArrayList<>(sorted);
    java.util.Collections.reverse(shuffled);
    for (String name : shuffled) {
      put(name, content(1));
    }
    assertThat(keysUnder("")).containsExactlyElementsOf(sorted);
  }

  @Test
  default void aListingPagesThroughObjectsAndGroups() throws IOException {
    for (String name : List.of("a/1", "a/2", "b", "c/1", "c/2", "d", "e/1")) {
      put(name, content(1));
    }
    List<String> seen = new ArrayList<>();
    ListRequest request = ListRequest.level(prefix()).limit(2);
    int pages = 0;
    while (true) {
      ListPage page = store().list(request);
      page.objects().forEach(object -> seen.add(object.key().substring(prefix().length())));
      page.groups().forEach(group -> seen.add(group.substring(prefix().length())));
      pages++;
      if (page.nextToken().isEmpty()) {
        break;
      }
      request = request.next(page.nextToken().get());
    }
    assertThat(seen).containsExactlyInAnyOrder("a/", "b", "c/", "d", "e/");
    assertThat(pages).isEqualTo(3);
  }

  @Test
  default void aPageTellsTheTimeOfTheStore() throws IOException {
    put("object", content(1));
    ListPage page = store().list(ListRequest.flat(prefix()));
    // HTTP tells whole seconds, and a test does not take a day.
    assertThat(page.servedAt().orElseThrow())
        .isBetween(
            page.objects().get(0).lastModified().minusSeconds(1),
            page.objects().get(0).lastModified().plus(Duration.ofDays(1)));
    assertThat(store().list(ListRequest.flat(prefix() + "nothing")).servedAt()).isPresent();
  }

  @Test
  default void aListingStartsAfterAKey() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      put(name, content(1));
    }
    ListPage page = store().list(ListRequest.flat(prefix()).after(prefix() + "a"));
    assertThat(page.objects())
        .extracting(ObjectMeta::key)
        .containsExactly(prefix() + "b", prefix() + "c");
  }

  /** MinIO ends such a listing early, so it does not claim that it can do this. */
  @Test
  default void aListingStartsAfterANameInADirectoryBesideSimilarOnes() throws IOException {
    assumeThat(store().traits().listsAfterAnyName()).isTrue();
    List<String> expected = new ArrayList<>();
    for (String directory : List.of("a!", "a-b", "a", "a0", "b")) {
      for (int i = 0; i < 80; i++) {
        put("%s/%02d".formatted(directory, i), new byte[0]);
      }
    }
    for (String directory : List.of("a", "a0", "b")) {
      for (int i = directory.equals("a") ? 40 : 0; i < 80; i++) {
        expected.add("%s%s/%02d".formatted(prefix(), directory, i));
      }
    }
    List<String> found = new ArrayList<>();
    Optional<ListRequest> next =
        Optional.of(ListRequest.flat(prefix()).after(prefix() + "a/39~").limit(7));
    while (next.isPresent()) {
      ListRequest request = next.get();
      ListPage page = store().list(request);
      page.objects().forEach(object -> found.add(object.key()));
      next = page.nextToken().map(request::next);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  default void aPrefixIsNotADirectory() throws IOException {
    put("p=1/x", content(1));
    put("p=10/x", content(1));
    put("p=1", content(1));
    assertThat(keysUnder("p=1/")).containsExactly("p=1/x");
    assertThat(keysUnder("p=1")).containsExactlyInAnyOrder("p=1", "p=1/x", "p=10/x");
  }

  @Test
  default void aKeyThatIsAPrefixOfAnotherIsAnObjectOfItsOwn() throws IOException {
    put("a", content(1));
    put("a/b", content(2));
    put("a/", new byte[0]);
    assertThat(store().head(prefix() + "a").sizeBytes()).isEqualTo(1);
    assertThat(store().head(prefix() + "a/b").sizeBytes()).isEqualTo(2);
    assertThat(store().head(prefix() + "a/").sizeBytes()).isZero();
  }

  @Test
  default void nothingUnderAPrefixIsAnEmptyPage() throws IOException {
    ListPage page = store().list(ListRequest.flat(prefix()));
    assertThat(page.isEmpty()).isTrue();
    assertThat(page.nextToken()).isEmpty();
  }
}
