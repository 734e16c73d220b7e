/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.util.Objects;
import java.util.Optional;

/**
 * The condition at the destination key under which a write takes effect, checked by the store
 * atomically with the write.
 *
 * <p>A condition may carry a mark, which the store keeps with the object that {@link
 * ObjectStore#put} writes and shows in its {@link ObjectMeta}: whoever lost the answer knows by it
 * whether the object is the one it wrote. It travels here because only conditional writes need one:
 * any other can simply be repeated.
 */
public sealed interface Condition {
  Condition NONE = new None();
  Condition IF_ABSENT = new IfAbsent(Optional.empty());

  static Condition ifMatch(String etag) {
    return new IfMatch(etag, Optional.empty());
  }

  /** The same condition with this mark; an unconditional write has none. */
  Condition marked(String mark);

  /** The mark that the object will be known by. */
  Optional<String> mark();

  /** Unconditional: the last writer wins. */
  record None() implements Condition {
    @Override
    public Condition marked(String mark) {
      return this;
    }

    @Override
    public Optional<String> mark() {
      return Optional.empty();
    }
  }

  /** No object at the key ({@code If-None-Match: *}). */
  record IfAbsent(Optional<String> mark) implements Condition {
    @Override
    public Condition marked(String mark) {
      return new IfAbsent(Optional.of(mark));
    }
  }

  /** The object at the key has this ETag ({@code If-Match}). */
  record IfMatch(String etag, Optional<String> mark) implements Condition {
    public IfMatch {
      Objects.requireNonNull(etag, "etag");
    }

    @Override
    public Condition marked(String mark) {
      return new IfMatch(etag, Optional.of(mark));
    }
  }
}
