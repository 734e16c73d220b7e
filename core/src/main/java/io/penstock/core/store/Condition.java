/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.util.Objects;
import java.util.Optional;

/**
 * The condition at the destination key under which a write takes effect, checked by the store
 * atomically with the write.
 *
 * <p>A condition may carry a write id, which the store keeps with the object that {@link
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

  /** The same condition with this write id; an unconditional write has none. */
  Condition withWriteId(String writeId);

  /** The write id that the object will be known by. */
  Optional<String> writeId();

  /** Unconditional: the last writer wins. */
  record None() implements Condition {
    @Override
    public Condition withWriteId(String writeId) {
      return this;
    }

    @Override
    public Optional<String> writeId() {
      return Optional.empty();
    }
  }

  /** No object at the key ({@code If-None-Match: *}). */
  record IfAbsent(Optional<String> writeId) implements Condition {
    @Override
    public Condition withWriteId(String writeId) {
      return new IfAbsent(Optional.of(writeId));
    }
  }

  /** The object at the key has this ETag ({@code If-Match}). */
  record IfMatch(String etag, Optional<String> writeId) implements Condition {
    public IfMatch {
      Objects.requireNonNull(etag, "etag");
    }

    @Override
    public Condition withWriteId(String writeId) {
      return new IfMatch(etag, Optional.of(writeId));
    }
  }
}
