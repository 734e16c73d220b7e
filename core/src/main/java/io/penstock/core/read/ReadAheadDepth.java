/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

/**
 * Decides how many ranges a sequential reader fetches ahead. A reader that has to wait for its next
 * range fetches twice as many, and one that finds all of them ready fetches fewer. Not safe for use
 * by many threads.
 */
final class ReadAheadDepth {
  /** With ranges of 8 MiB this is 128 MiB; at 60 MB/s a connection it is about 800 MB/s. */
  private static final int MAX = 16;

  /** The number of ranges in a row that find all ready, after which one less is fetched ahead. */
  private static final int CALM = 16;

  private int depth = 1;
  private int calm;

  int now() {
    return depth;
  }

  /** Records that the reader begins to read in sequence, and how many ranges it can use. */
  void begin(int ranges) {
    depth = Math.max(depth, Math.min(MAX, ranges));
  }

  /** Records that the reader had to wait for its next range. */
  void waited() {
    calm = 0;
    depth = Math.min(MAX, 2 * depth);
  }

  /** Records that all ranges were ready before the reader needed the first one. */
  void wasReady() {
    calm++;
    if (calm == CALM && depth > 1) {
      depth--;
      calm = 0;
    }
  }
}
