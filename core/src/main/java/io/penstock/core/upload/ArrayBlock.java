/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Body;
import java.io.IOException;
import java.util.Arrays;

/** A block on the heap that grows with what is written, so that small objects stay small. */
final class ArrayBlock implements Block {
  private static final int FIRST_BYTES = 64 << 10;

  private byte[] bytes = new byte[0];
  private int sizeBytes;

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    int needed = sizeBytes + length;
    if (needed < 0) {
      throw new IOException("a part in memory is limited to 2 GiB; set upload.buffer=disk");
    }
    if (needed > bytes.length) {
      long doubled = Math.max(FIRST_BYTES, bytes.length * 2L);
      bytes =
          Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, doubled)));
    }
    System.arraycopy(from, offset, bytes, sizeBytes, length);
    sizeBytes = needed;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public long heapBytes() {
    return bytes.length;
  }

  @Override
  public long diskBytes() {
    return 0;
  }

  @Override
  public Body body() {
    return Body.ofBytes(bytes, 0, sizeBytes);
  }

  @Override
  public void discard() {
    bytes = new byte[0];
    sizeBytes = 0;
  }
}
