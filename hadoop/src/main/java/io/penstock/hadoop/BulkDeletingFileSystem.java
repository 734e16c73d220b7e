/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.stack.Engine;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;

/** The file system for Hadoop 3.4.1 and later, which know deletes of many files by one request. */
public final class BulkDeletingFileSystem extends PenstockFileSystem {
  private static final String BULK_DELETE = "fs.capability.bulk.delete";

  /** The constructor that Hadoop looks for. */
  public BulkDeletingFileSystem() {}

  /**
   * Makes a file system for a process that has an engine of its own.
   *
   * @param engine what it shares with others
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
