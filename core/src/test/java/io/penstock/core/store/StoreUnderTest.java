/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The store that a contract is about, and short ways to fill, to list and to judge it. */
interface StoreUnderTest {
  ObjectStore store();

  /** Returns the prefix that only this test writes under. */
  String prefix();

  default String put(String name, byte[] content) throws IOException {
    return store().put(prefix() + name, Body.ofBytes(content), Condition.NONE);
  }

  default List<String> keysUnder(String name) throws IOException {
    return store().list(ListRequest.flat(prefix() + name)).objects().stream()
        .map(object -> object.key().substring(prefix().length()))
        .toList();
  }

  /** Bytes that differ by length, so that two contents never have the same ETag by accident. */
  default byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  default void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }
}
