/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.ByteSink;

/**
 * Passes bytes on until it is closed. An attempt that is late cannot write into memory that its
 * reader has given away meanwhile.
 */
final class ClosableSink implements ByteSink {
  private final ByteSink inner;
  private boolean isClosed;

  ClosableSink(ByteSink inner) {
    this.inner = inner;
  }

  @Override
  public synchronized void take(long position, byte[] bytes, int offset, int length) {
    if (!isClosed) {
      inner.take(position, bytes, offset, length);
    }
  }

  /** Waits until bytes that are being copied are copied; later ones are ignored. */
  synchronized void close() {
    isClosed = true;
  }
}
