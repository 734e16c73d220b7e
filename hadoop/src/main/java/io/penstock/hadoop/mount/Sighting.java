/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.Serializable;

/**
 * The sight that one process has of a checkpoint's path.
 *
 * @param who the driver, or an executor by its name
 * @param tokenSeen whether it sees what the driver wrote there
 * @param failure why it could not write there; empty when it could
 * @param owned the directory that it made, or where it made none the nearest one that it sees
 */
public record Sighting(
    String who, String host, Identity self, boolean tokenSeen, String failure, Owned owned)
    implements Serializable {

  boolean couldWrite() {
    return tokenSeen && failure.isEmpty();
  }

  @Override
  public String toString() {
    return "%s on %s (%s)".formatted(who, host, self);
  }
}
