/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.util.function.IntSupplier;

/** Receives the progress of reading logs. */
public interface ReadProgress {
  /** The extent of the work and the part that is done. Any thread may ask for it. */
  interface Extent {
    /** Returns the bytes of the files that were read to their end. */
    long doneBytes();

    /** Returns the total stored size of all files, in bytes. */
    long totalBytes();
  }

  /** Ignores all progress, for callers that do not need it. */
  ReadProgress NONE =
      new ReadProgress() {
        @Override
        public void opening(IntSupplier opened, int files) {}

        @Override
        public void reading(Extent extent) {}

        @Override
        public void done() {}
      };

  /**
   * Receives, when files begin to be opened to tell what they are, how many there are.
   *
   * @param opened tells how many have been opened; any thread may ask for it
   */
  void opening(IntSupplier opened, int files);

  /** Receives, when reading begins, an object that tells at any time how much has been read. */
  void reading(Extent extent);

  /** Ends what began last, opening or reading. */
  void done();
}
