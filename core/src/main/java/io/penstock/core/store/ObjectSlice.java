/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/**
 * The answer to a GET: the requested bytes of an object, all of them in memory.
 *
 * @param meta the metadata of the whole object, from the same answer
 * @param start the position in the object of the first of {@code bytes}
 * @param bytes the array itself, not a copy; at least one byte in the answer of a store
 */
@SuppressWarnings("ArrayRecordComponent") // a slice is never compared; it exists to carry the array
public record ObjectSlice(ObjectMeta meta, long start, byte[] bytes) {
  public ObjectSlice {
    if (start < 0 || start + bytes.length > meta.sizeBytes()) {
      throw new IllegalArgumentException(
          "%d bytes at %d are not inside %s".formatted(bytes.length, start, meta));
    }
  }

  public long end() {
    return start + bytes.length;
  }
}
