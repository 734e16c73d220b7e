/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.input;

/** Told how reading goes on. */
public interface ReadProgress {
  /** For whoever does not want to know. */
  ReadProgress NONE =
      new ReadProgress() {
        @Override
        public void reading(LogParts parts) {}

        @Override
        public void done() {}
      };

  /** Logs are read from now on; how far, the parts say at any time. */
  void reading(LogParts parts);

  void done();
}
