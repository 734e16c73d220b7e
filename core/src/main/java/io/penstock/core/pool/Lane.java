/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

/**
 * Names a lane: work that waits for the same permits.
 *
 * @param traffic the kind of requests; empty for work that may make any
 * @param partition the prefix of the keys; empty for what no prefix tells apart
 */
public record Lane(String bucket, String traffic, String partition) {
  /** The lane of work that is about no bucket. */
  static final Lane OTHER = new Lane("", "", "");
}
