/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.util.Comparator;

/**
 * One state store: a partition of an operator, and which of its stores.
 *
 * @param name {@code default} for the only one
 */
public record StoreId(long operator, long partition, String name) implements Comparable<StoreId> {
  static final String DEFAULT = "default";

  private static final Comparator<StoreId> ORDER =
      Comparator.comparingLong(StoreId::operator)
          .thenComparingLong(StoreId::partition)
          .thenComparing(StoreId::name);

  /** Returns where its files are below the checkpoint, with the {@code /}. */
  public String path() {
    String partitionPath = "state/" + operator + "/" + partition + "/";
    return name.equals(DEFAULT) ? partitionPath : partitionPath + name + "/";
  }

  @Override
  public int compareTo(StoreId other) {
    return ORDER.compare(this, other);
  }
}
