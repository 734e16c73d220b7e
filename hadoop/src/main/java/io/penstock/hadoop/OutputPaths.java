/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.hadoop.tree.Failures;
import io.penstock.hadoop.tree.KeyName;
import io.penstock.hadoop.tree.Tree;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;

/** Checks of the paths that a job writes to: its output, and the locations of partitions. */
public final class OutputPaths {
  private static final Set<String> SCHEMES = Set.of("s3", "s3a");

  private OutputPaths() {}

  /** Returns true if the path is in this bucket, written with either scheme. */
  static boolean isIn(URI bucket, Path path) {
    URI at = path.toUri();
    return at.getScheme() != null
        && SCHEMES.contains(at.getScheme().toLowerCase(Locale.ROOT))
        && bucket.getAuthority().equals(at.getAuthority());
  }

  /**
   * Returns true if a file or directory is at the path, which may be in another bucket. Before an
   * {@code INSERT OVERWRITE}, Spark asks the file system of the table for the locations of all its
   * partitions.
   *
   * @throws IllegalArgumentException when Penstock does not serve the path
   */
  static boolean exists(PenstockFileSystem table, Path path) throws IOException {
    if (path.toUri().getScheme() == null || isIn(table.getUri(), path)) {
      return exists(table.at(path));
    }
    Optional<PenstockFileSystem> other =
        PenstockFileSystem.behind(path.getFileSystem(table.getConf()));
    if (other.isPresent()) {
      return exists(other.get().at(path));
    }
    throw new IllegalArgumentException(
        "%s is not on S3, but the table is (%s). If that path is the location of a partition, a job that writes the table on S3 cannot commit files there. Set the partition's location to a path on S3, or write the partition in a separate job that names its path as the output"
            .formatted(shown(path), table.getUri()));
  }

  /**
   * Waits for the commits to a directory if a job must find nothing there: of a job that died, it
   * may have a part that is taken back.
   */
  private static boolean exists(Place place) throws IOException {
    Optional<Tree.Node> found = place.find();
    boolean isDirectory = found.isPresent() && found.get().isDirectory();
    if (isDirectory && place instanceof PublishedPlace there && NewOutputs.areChecked()) {
      there.awaitCommits();
      found = there.find();
    }
    return found.isPresent();
  }

  /** Returns a path as its user has written it: Spark puts the table's bucket into local paths. */
  public static String shown(Path path) {
    URI at = path.toUri();
    return "file".equals(at.getScheme()) ? "file:" + at.getPath() : path.toString();
  }

  /**
   * Refuses an output that is an object. Sends one HEAD if the name looks like a file's, otherwise
   * no request: an object whose name has no extension is not found here.
   *
   * @throws FileAlreadyExistsException when an object is there
   */
  public static void requireNoFile(PenstockFileSystem fs, Path output) throws IOException {
    String key = fs.key(output);
    if (!KeyName.looksLikeFile(key)) {
      return;
    }
    try {
      fs.store().head(key);
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return;
      }
      throw Failures.translate(output.toString(), e);
    }
    throw new FileAlreadyExistsException(
        output
            + " is a file, so nothing can be written under it: overwrite it, or write elsewhere");
  }
}
