/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/**
 * The answer to a GET: some bytes of an object, all of them in memory.
 *
 * @param meta of the whole object, from the same answer
 * @param start where {@code bytes} begin in the object
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; the array is the point
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
