/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/** Receives the bytes of a range of an object while they arrive, see {@link ObjectStore#read}. */
@FunctionalInterface
public interface ByteSink {
  /**
   * Copies bytes of the object. Must not fail, and must not keep the array.
   *
   * @param position in the object, of the first byte
   * @param bytes contains them from {@code offset} on
   */
  void take(long position, byte[] bytes, int offset, int length);
}
