/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.memory;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps arrays of one size to use them again. A new array costs time: the JVM fills it with zeros,
 * and its collector copies it while it is in use. The collector may take an idle array away when
 * the heap runs short.
 *
 * <p>Who gives an array back must make sure that nobody uses it any more, or that whoever still
 * reads it finds out afterwards and drops what it has read. Safe for many threads.
 */
public final class ArrayPool {
  private final int arrayBytes;
  private final int most;
  private final Deque<SoftReference<byte[]>> idle = new ArrayDeque<>();

  /**
   * @param arrayBytes the size of each array
   * @param most number of idle arrays that are kept
   */
  public ArrayPool(int arrayBytes, int most) {
    this.arrayBytes = arrayBytes;
    this.most = most;
  }

  /** Returns the size of each array. */
  public int arrayBytes() {
    return arrayBytes;
  }

  /** Returns an array with any content. */
  public byte[] take() {
    byte[] array = idle();
    return array == null ? new byte[arrayBytes] : array;
  }

  private synchronized byte[] idle() {
    // The array given back last: it is the likeliest to be in the processor's cache.
    for (SoftReference<byte[]> last = idle.pollLast(); last != null; last = idle.pollLast()) {
      byte[] array = last.get();
      if (array != null) {
        return array;
      }
    }
    return null;
  }

  /** Keeps an array. One of another size is left to the collector. */
  public void giveBack(byte[] array) {
    if (array.length == arrayBytes) {
      keep(new SoftReference<>(array));
    }
  }

  private synchronized void keep(SoftReference<byte[]> array) {
    if (idle.size() < most) {
      idle.addLast(array);
    }
  }
}
