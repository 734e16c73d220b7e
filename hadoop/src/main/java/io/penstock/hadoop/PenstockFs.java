/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;

/**
 * The file system for {@code FileContext}, set as {@code fs.AbstractFileSystem.s3.impl} and the
 * same key for s3a.
 */
public final class PenstockFs extends DelegateToFileSystem {
  public PenstockFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, new PenstockFileSystem(), conf, uri.getScheme(), false);
  }

  /**
   * Renames with one copy over the target. Hadoop would delete the target first and might lose it.
   */
  @Override
  @SuppressWarnings("deprecation") // Deprecated for applications; file contexts rename with it.
  public void renameInternal(Path source, Path target, boolean overwrite) throws IOException {
    checkPath(source);
    checkPath(target);
    ((PenstockFileSystem) fsImpl)
        .rename(source, target, overwrite ? Rename.OVERWRITE : Rename.NONE);
  }

  @Override
  public int getUriDefaultPort() {
    // S3 URIs have no port. The configuration sets the endpoint's port.
    return -1;
  }
}
