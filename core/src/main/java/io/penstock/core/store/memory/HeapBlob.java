/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

/** Bytes on the heap. */
final class HeapBlob implements Blobs.Blob {
  private final byte[] bytes;

  HeapBlob(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public long sizeBytes() {
    return bytes.length;
  }

  @Override
  public void read(long offset, byte[] into, int at, int length) {
    System.arraycopy(bytes, Math.toIntExact(offset), into, at, length);
  }

  @Override
  public void discard() {
    // The garbage collector frees it.
  }
}
