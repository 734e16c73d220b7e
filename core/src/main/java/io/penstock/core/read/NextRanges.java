/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.ByteRange;
import java.util.List;

/**
 * Knows from a file's format which bytes its reader will want after those that it asks for. Used by
 * one thread at a time.
 */
@FunctionalInterface
public interface NextRanges {
  /**
   * Returns the ranges that will be wanted next, sorted, not overlapping; an empty list if that is
   * not known.
   *
   * @param wanted what the reader asks for now, sorted, not overlapping
   */
  List<ByteRange> after(List<ByteRange> wanted);
}
