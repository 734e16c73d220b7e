/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;

/**
 * The runs that have claimed a checkpoint, as one of them sees it. A later claim has a higher
 * epoch.
 */
public interface Writers {
  /** Nothing is known of any run. */
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

  /** The epoch of the run that asks; 0 when it has claimed nothing. */
  long ownEpoch();

  /** The highest epoch that is claimed by now; 0 when none is. Asked before each overwrite. */
  long newestEpoch() throws IOException;

  /** The run of the highest epoch, in words for an error; empty when nothing is known of it. */
  String newest() throws IOException;
}
