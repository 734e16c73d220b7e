/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Tells texts that are certainly valid UTF-8. */
final class Utf8 {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  static boolean isAscii(byte[] text, int start, int end) {
    long all = 0;
    int i = start;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      all |= (long) LONGS.get(text, i);
    }
    for (; i < end; i++) {
      all |= text[i];
    }
    return (all & HIGH_BITS) == 0;
  }
}
