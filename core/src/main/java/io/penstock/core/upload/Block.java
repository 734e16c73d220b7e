/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Body;
import java.io.IOException;

/** The bytes of one part while they are gathered and sent. Used by one thread at a time. */
interface Block {
  /** Appends bytes; the caller keeps inside the part's size. */
  void write(byte[] bytes, int offset, int length) throws IOException;

  long sizeBytes();

  /** Of the heap that the block holds, whether or not they are written to. */
  long heapBytes();

  /** Of a file that the block holds. */
  long diskBytes();

  /** Everything written; nothing may be written after. */
  Body body() throws IOException;

  /** Frees memory and files; may be called more than once. */
  void discard();
}
