/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

/**
 * Names a lane: a group of work that waits for the same permits.
 *
 * @param traffic the kind of requests; empty for work that may make requests of any kind
 * @param partition the key prefix of the partition; empty for work that belongs to no partition
 */
public record Lane(String bucket, String traffic, String partition) {
  /** The lane of work that belongs to no bucket. */
  static final Lane OTHER = new Lane("", "", "");
}
