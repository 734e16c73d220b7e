/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.store.keys.BucketNames;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;

/**
 * Converts paths to keys and back, in one bucket. The root is the empty key. No key starts or ends
 * with a slash.
 */
public final class Paths {
  private final URI uri;
  private final Path workingDirectory;

  public Paths(URI uri, Path workingDirectory) {
    this.uri = uri;
    this.workingDirectory = workingDirectory;
  }

  /** Returns the bucket in a file system's URI. */
  public static String bucketOf(URI name) throws IOException {
    String authority = name.getAuthority();
    if (authority == null || authority.isEmpty()) {
      throw new IOException("no bucket in " + name + "; write " + name.getScheme() + "://BUCKET/…");
    }
    try {
      return BucketNames.checked(authority);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage());
    }
  }

  public Path qualify(Path path) {
    return path.makeQualified(uri, workingDirectory);
  }

  public String key(Path path) {
    String absolute =
        path.isAbsolute()
            ? path.toUri().getPath()
            : new Path(workingDirectory, path).toUri().getPath();
    return absolute.startsWith("/") ? absolute.substring(1) : absolute;
  }

  public Path path(String key) {
    String clean = key.endsWith("/") ? key.substring(0, key.length() - 1) : key;
    return new Path(uri.getScheme(), uri.getAuthority(), "/" + clean);
  }

  /** Returns the prefix of all keys inside the directory; empty for the root. */
  public static String inside(String key) {
    return key.isEmpty() ? "" : key + "/";
  }

  /** Returns the parent's key. The parent of a top-level key is the root, the empty key. */
  public static String parent(String key) {
    int slash = key.lastIndexOf('/');
    return slash < 0 ? "" : key.substring(0, slash);
  }
}
