/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.stack.Engine;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;

/** The file system for Hadoop 3.4.1 and later, where one request can delete many files. */
public final class BulkDeletingFileSystem extends PenstockFileSystem {
  private static final String BULK_DELETE = "fs.capability.bulk.delete";

  /** The constructor that Hadoop looks for. */
  public BulkDeletingFileSystem() {}

  /**
   * Makes a file system for a process that has its own engine.
   *
   * @param engine the parts that this file system shares with others
   */
  public BulkDeletingFileSystem(Engine engine) {
    super(engine);
  }

  @Override
  public BulkDelete createBulkDelete(Path path) throws IOException {
    checkPath(path);
    return new ManyDeletes(this, makeQualified(path));
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return capability.toLowerCase(Locale.ROOT).equals(BULK_DELETE)
        || super.hasPathCapability(path, capability);
  }
}
