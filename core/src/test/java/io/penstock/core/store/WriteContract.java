/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of replacing, copying and deleting objects, and of the keys they may have. */
interface WriteContract extends StoreUnderTest {
  @Test
  default void anObjectOverwrittenIsTheNewOne() throws IOException {
    put("object", content(10));
    put("object", content(20));
    assertThat(store().head(prefix() + "object").sizeBytes()).isEqualTo(20);
  }

  @Test
  default void deletingIsIdempotent() throws IOException {
    put("object", content(1));
    store().delete(prefix() + "object");
    store().delete(prefix() + "object");
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  default void manyKeysAreDeletedInOneRequest() throws IOException {
    List<String> keys = new ArrayList<>();
    for (String name : List.of("a", "b c", "d+e", "f%20g", "h&i<j>\"k'", "ü/語/😀", "missing")) {
      keys.add(prefix() + name);
      if (!name.equals("missing")) {
        put(name, content(1));
      }
    }
    put("stays", content(1));

    assertThat(store().deleteAll(keys)).isEmpty();
    assertThat(keysUnder("")).containsExactly("stays");
  }

  @Test
  default void aBulkDeleteLeavesAnObjectThatHasAnotherEtag() throws IOException {
    assumeThat(store().traits().comparesEtagsInBulk()).isTrue();
    String etag = put("same", content(1));
    put("other", content(2));
    put("any", content(3));
    Map<String, StoreException> failed =
        store()
            .deleteAll(
                Map.of(
                    prefix() + "same", Condition.ifMatch(etag),
                    prefix() + "other", Condition.ifMatch(etag),
                    prefix() + "missing", Condition.ifMatch(etag),
                    prefix() + "any", Condition.NONE));
    assertThat(failed).containsOnlyKeys(prefix() + "other");
    assertThat(failed.get(prefix() + "other").kind()).isEqualTo(Kind.PRECONDITION_FAILED);
    assertThat(keysUnder("")).containsExactly("other");
  }

  @Test
  default void aCopyIsEqualAndPinnedToItsSource() throws IOException {
    byte[] content = content(5000);
    String etag = put("source ü+%", content);

    store().copy(prefix() + "source ü+%", prefix() + "copy", Optional.of(etag));

    assertThat(store().get(prefix() + "copy", new ByteRange(0, 5000), Optional.empty()).bytes())
        .isEqualTo(content);
    assertFails(
        Kind.PRECONDITION_FAILED,
        () ->
            store().copy(prefix() + "source ü+%", prefix() + "copy", Optional.of("0".repeat(32))));
  }

  @Test
  default void everyLegalKeyIsKeptAsItIs() throws IOException {
    String longest = "k".repeat(200) + "/";
    longest = longest.repeat(4) + "e".repeat(1024 - prefix().length() - 4 * 201);
    List<String> names =
        List.of(
            "plain",
            "with space",
            "a+b",
            "100%",
            "%2F",
            "q?x=1&y=2#z",
            "ünïcödé/語",
            "😀",
            "tilde~(x)!*'",
            "a=b,c;d:e@f$g",
            "back\\slash",
            "quote\"<&>",
            "dot.",
            longest);
    assertThat((prefix() + longest).getBytes(UTF_8)).hasSize(1024);
    for (String name : names) {
      put(name, name.getBytes(UTF_8));
    }

    for (String name : names) {
      ObjectSlice read = store().get(prefix() + name, new SuffixRange(2000), Optional.empty());
      assertThat(new String(read.bytes(), UTF_8)).isEqualTo(name);
    }
    assertThat(keysUnder("")).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  default void aKeyThatNoObjectCanHaveIsAKeyWithoutObject() throws IOException {
    String tooLong = prefix() + "k".repeat(200) + "/" + "ü".repeat(500);
    put("object", content(1));
    for (String key : List.of(tooLong, "")) {
      assertFails(Kind.NO_SUCH_KEY, () -> store().head(key));
      assertFails(Kind.NO_SUCH_KEY, () -> store().get(key, new ByteRange(0, 1), Optional.empty()));
      assertFails(Kind.NO_SUCH_KEY, () -> store().copy(key, prefix() + "copy", Optional.empty()));
      store().delete(key);
    }
    assertThat(store().deleteAll(List.of(tooLong, "", prefix() + "object"))).isEmpty();
    assertThat(store().deleteAll(List.of(tooLong))).isEmpty();
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  default void keysThatXmlCannotCarryAreDeletedWithTheOthers() throws IOException {
    List<String> names = List.of("a", "b\u0001c", "b\r\n\td", "e\u007f\u0085", "f\u2028", "z");
    List<String> keys = new ArrayList<>();
    for (String name : names) {
      keys.add(prefix() + name);
      put(name, content(1));
    }
    keys.add(prefix() + "k".repeat(2000));
    assertThat(Keys.deletePage(store(), keys)).isEmpty();
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  default void aKeyOfMoreThan1024BytesIsRefused() {
    String key = prefix() + "k".repeat(200) + "/" + "ü".repeat(500);
    assertFails(
        Kind.INVALID_REQUEST, () -> store().put(key, Body.ofBytes(content(1)), Condition.NONE));
  }
}
