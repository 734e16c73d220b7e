/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.util.Objects;

/**
 * What must hold at the destination key for a write to take effect, checked by the store atomically
 * with the write.
 */
public sealed interface Condition {
  Condition NONE = new None();
  Condition IF_ABSENT = new IfAbsent();

  static Condition ifMatch(String etag) {
    return new IfMatch(etag);
  }

  /** Unconditional: the last writer wins. */
  record None() implements Condition {}

  /** No object at the key ({@code If-None-Match: *}). */
  record IfAbsent() implements Condition {}

  /** The object at the key has this ETag ({@code If-Match}). */
  record IfMatch(String etag) implements Condition {
    public IfMatch {
      Objects.requireNonNull(etag, "etag");
    }
  }
}
