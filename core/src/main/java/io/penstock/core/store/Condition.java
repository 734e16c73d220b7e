/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The condition that the object at the destination key must meet for a write to take effect. The
 * store checks the condition atomically with the write.
 *
 * <p>A condition may carry a write id. The store keeps the write id with the object that {@link
 * ObjectStore#put} writes and shows it in the object's {@link ObjectMeta}. A caller that lost the
 * answer to a write compares the write id to find out whether it wrote the object. The write id is
 * part of the condition because only conditional writes need one: an unconditional write can simply
 * be repeated.
 */
public sealed interface Condition {
  Condition NONE = new None();
  Condition IF_ABSENT = new IfAbsent(Optional.empty());

  /** Returns the condition that the object at the key has this ETag, written without quotes. */
  static Condition ifMatch(String etag) {
    return new IfMatch(etag, Optional.empty());
  }

  /** Returns the keys in their order, each without a condition. */
  static Map<String, Condition> noneFor(List<String> keys) {
    Map<String, Condition> all = new LinkedHashMap<>();
    keys.forEach(key -> all.put(key, NONE));
    return all;
  }

  /**
   * Returns the same condition with this write id. An unconditional write ignores the write id.
   *
   * @param writeId printable ASCII, because stores keep it in a header; no other write may have it
   */
  Condition withWriteId(String writeId);

  /** Returns the write id that the store keeps with the object, if there is one. */
  Optional<String> writeId();

  /**
   * Returns the ETag, without quotes, that an object must have to be deleted under this condition;
   * empty when any object is deleted.
   *
   * @throws IllegalArgumentException when the condition requires that there is no object
   */
  Optional<String> etagToDelete();

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

    @Override
    public Optional<String> etagToDelete() {
      return Optional.empty();
    }
  }

  /** Requires that no object is at the key ({@code If-None-Match: *}). */
  record IfAbsent(Optional<String> writeId) implements Condition {
    @Override
    public Condition withWriteId(String writeId) {
      return new IfAbsent(Optional.of(writeId));
    }

    @Override
    public Optional<String> etagToDelete() {
      throw new IllegalArgumentException("an object that must be absent cannot be deleted");
    }
  }

  /** Requires that the object at the key has this ETag ({@code If-Match}). */
  record IfMatch(String etag, Optional<String> writeId) implements Condition {
    public IfMatch {
      Objects.requireNonNull(etag, "etag");
    }

    @Override
    public Condition withWriteId(String writeId) {
      return new IfMatch(etag, Optional.of(writeId));
    }

    @Override
    public Optional<String> etagToDelete() {
      return Optional.of(etag);
    }
  }
}
