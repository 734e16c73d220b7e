/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.Serializable;

/**
 * The view that one process has of a checkpoint's path.
 *
 * @param who the driver, or the name of an executor
 * @param tokenSeen true if the process sees the driver's token there
 * @param failure the reason why the process could not write there; empty if it could
 * @param owned the directory that the process made; if it made none, the nearest directory that it
 *     sees
 */
public record MountReport(
    String who, String host, MountIdentity self, boolean tokenSeen, String failure, Owned owned)
    implements Serializable {

  boolean couldWrite() {
    return tokenSeen && failure.isEmpty();
  }

  @Override
  public String toString() {
    return "%s on %s (%s)".formatted(who, host, self);
  }
}
