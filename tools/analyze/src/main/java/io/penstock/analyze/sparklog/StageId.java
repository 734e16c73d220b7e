/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.util.Comparator;

/** An attempt of a stage. */
record StageId(long stage, long attempt) implements Comparable<StageId> {
  private static final Comparator<StageId> ORDER =
      Comparator.comparingLong(StageId::stage).thenComparingLong(StageId::attempt);

  @Override
  public int compareTo(StageId other) {
    return ORDER.compare(this, other);
  }
}
