/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;

/**
 * The runs that have claimed a checkpoint, as seen by one of them. A later claim has a higher
 * epoch. Safe for use by many threads.
 */
public interface Writers {
  /** The view when no run is known. */
  Writers UNKNOWN =
      new Writers() {
        @Override
        public long ownEpoch() {
          return 0;
        }

        @Override
        public long newestEpoch() {
          return 0;
        }

        @Override
        public String newest() {
          return "";
        }
      };

  /** Returns the epoch of the calling run; 0 if it has claimed nothing. */
  long ownEpoch();

  /** Returns the highest epoch that is claimed now; 0 if there is none. */
  long newestEpoch() throws IOException;

  /** Returns true if another run has taken over. Called before each overwrite. */
  default boolean areOvertaking() throws IOException {
    return newestEpoch() > ownEpoch();
  }

  /** Returns the run with the highest epoch as text for an error; empty if it is not known. */
  String newest() throws IOException;
}
