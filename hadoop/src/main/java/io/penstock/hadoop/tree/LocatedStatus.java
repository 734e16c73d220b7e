/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.LocatedFileStatus;

/**
 * A status with a block location that keeps the ETag. S3 has no locations, so the one location is a
 * placeholder.
 */
public final class LocatedStatus extends LocatedFileStatus implements EtagSource {
  private static final long serialVersionUID = 1L;
  private static final String[] NAMES = {"localhost:9866"};
  private static final String[] HOSTS = {"localhost"};

  private final String etag;

  public LocatedStatus(PenstockFileStatus status) {
    super(status, locations(status));
    this.etag = status.getEtag();
  }

  private static BlockLocation[] locations(PenstockFileStatus status) {
    return status.isDirectory()
        ? new BlockLocation[0]
        : new BlockLocation[] {new BlockLocation(NAMES, HOSTS, 0, status.getLen())};
  }

  @Override
  public String getEtag() {
    return etag;
  }

  @Override
  public boolean equals(Object other) {
    return super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
