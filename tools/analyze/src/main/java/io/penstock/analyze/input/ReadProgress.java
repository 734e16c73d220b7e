/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

/** Told how reading goes on. */
public interface ReadProgress {
  /** Is told how far reading is, by any thread. */
  interface Extent {
    /** Bytes of the files that were read to their end. */
    long doneBytes();

    /** The bytes of all files together, as they are stored. */
    long totalBytes();
  }

  /** Keeps nothing, for whoever does not want to know. */
  ReadProgress NONE =
      new ReadProgress() {
        @Override
        public void reading(Extent extent) {}

        @Override
        public void done() {}
      };

  /** Logs are read from now on; how far, the extent says at any time. */
  void reading(Extent extent);

  void done();
}
