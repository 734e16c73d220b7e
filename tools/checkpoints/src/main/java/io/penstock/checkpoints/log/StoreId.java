/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import java.util.Comparator;

/**
 * The identity of a state store: operator, partition and the store's name.
 *
 * @param name {@code default} when the operator has a single store
 */
public record StoreId(long operator, long partition, String name) implements Comparable<StoreId> {
  /** The name of the store of an operator that has a single one. */
  public static final String DEFAULT = "default";

  private static final Comparator<StoreId> ORDER =
      Comparator.comparingLong(StoreId::operator)
          .thenComparingLong(StoreId::partition)
          .thenComparing(StoreId::name);

  /** Returns the path of the store's files below the checkpoint, ending with {@code /}. */
  public String path() {
    String partitionPath = "state/" + operator + "/" + partition + "/";
    return name.equals(DEFAULT) ? partitionPath : partitionPath + name + "/";
  }

  @Override
  public int compareTo(StoreId other) {
    return ORDER.compare(this, other);
  }
}
