/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.memory.Blobs.Blob;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The parts of a completed upload as one blob. The parts are not copied. */
final class JoinedBlob implements Blob {
  private final List<Blob> blobs;
  private final long[] starts;
  private final long sizeBytes;

  JoinedBlob(List<Blob> blobs) {
    this.blobs = blobs;
    this.starts = new long[blobs.size()];
    long position = 0;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = position;
      position += blobs.get(i).sizeBytes();
    }
    this.sizeBytes = position;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void read(long offset, byte[] into, int at, int length) throws IOException {
    int found = Arrays.binarySearch(starts, offset);
    int index = found >= 0 ? found : -found - 2;
    int done = 0;
    while (done < length) {
      long inside = offset + done - starts[index];
      int count = (int) Math.min(length - done, blobs.get(index).sizeBytes() - inside);
      blobs.get(index).read(inside, into, at + done, count);
      done += count;
      index++;
    }
  }

  @Override
  public void discard() {
    blobs.forEach(Blob::discard);
  }
}
