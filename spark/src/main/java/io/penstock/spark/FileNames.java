/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.store.ListRequest;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.hadoop.PenstockFileSystem;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.internal.io.FileNameSpec;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils;

/** Names the files of the tasks, and refuses the partitions whose names the store cannot have. */
final class FileNames {
  private final String jobId;

  /** The final paths that were given, with the task attempt. */
  private final Set<String> given = Collections.synchronizedSet(new HashSet<>());

  /** Long segments that the store has been asked for. */
  private final Set<String> allowed = Collections.synchronizedSet(new HashSet<>());

  /** Segments with odd characters that the store lists as they are. */
  private final Set<String> listed = Collections.synchronizedSet(new HashSet<>());

  FileNames(String jobId) {
    this.jobId = jobId;
  }

  /**
   * Returns an unused name for a file of the task. Spark reads the bucket of a bucketed table from
   * the end of the name, so the order matters. Two partitions may have the same location, and Spark
   * counts the files of each from 0. So the second file with the same name gets another name.
   *
   * @param directory the final directory of the file
   * @param partition the end of the directory that names the partition; empty if none does
   * @throws IOException when the store cannot have the file's key
   */
  String next(
      TaskAttemptContext task,
      PenstockFileSystem fs,
      Path directory,
      String partition,
      FileNameSpec spec)
      throws IOException {
    int split = task.getTaskAttemptID().getTaskID().getId();
    for (int again = 0; ; again++) {
      String unique = again == 0 ? jobId : jobId + "-" + again;
      String name =
          spec.prefix() + String.format(Locale.ROOT, "part-%05d-", split) + unique + spec.suffix();
      Path file = new Path(directory, name);
      URI at = file.toUri();
      if (given.add(task.getTaskAttemptID() + at.getAuthority() + at.getPath())) {
        check(fs, file, partition);
        return name;
      }
    }
  }

  private void check(PenstockFileSystem fs, Path file, String partition) throws IOException {
    String key = fs.key(file);
    int bytes = KeyLimits.lengthBytes(key);
    if (bytes > KeyLimits.MAX_BYTES) {
      String cause =
          Stream.of(partition.split("/"))
              .max(Comparator.comparing(KeyLimits::lengthBytes))
              .filter(segment -> !segment.isEmpty())
              .map(FileNames::column)
              .orElseGet(() -> "the path " + KeyLimits.shown(file.getParent().toString()));
      throw new IOException(
          "%s makes the key of a file %,d bytes long, but S3 allows only %,d. Shorten the value or the path, or do not partition by this column"
              .formatted(cause, bytes, KeyLimits.MAX_BYTES));
    }
    Optional<String> segment = KeyLimits.longSegment(key);
    if (segment.isPresent() && !allowed.contains(segment.get())) {
      requireAllowed(fs, segment.get());
      allowed.add(segment.get());
    }
    Optional<String> odd = KeyLimits.segmentBeyondXml(key);
    if (odd.isPresent() && !listed.contains(odd.get())) {
      requireListed(fs, key.substring(0, key.indexOf(odd.get())), odd.get());
      listed.add(odd.get());
    }
  }

  /**
   * Lists what begins with the segment. A store that cannot escape the names in a listing shows
   * another character instead, and no reader would find the file. It refuses this listing.
   */
  private static void requireListed(PenstockFileSystem fs, String parent, String segment)
      throws IOException {
    try {
      fs.store().list(ListRequest.flat(parent + segment).limit(1));
    } catch (StoreException e) {
      if (e.kind() == Kind.UNSUPPORTED) {
        throw new IOException(
            "%s has a character that this store lists as a different one, so the file would not be found. Replace that character, or do not partition by this column"
                .formatted(column(segment)),
            e);
      }
      throw e;
    }
  }

  /**
   * Asks the store for an object with the name of the segment. A store that keeps objects as files
   * cannot have a segment of more than 255 bytes, but MinIO and versitygw say so only when the
   * upload is completed, which is in the job's commit. A HEAD is refused at once if the directory
   * above exists, as the bucket does. S3 has such keys, and answers that there is no such object.
   */
  private static void requireAllowed(PenstockFileSystem fs, String segment) throws IOException {
    try {
      fs.store().head(segment);
    } catch (StoreException e) {
      if (e.isOfName() || e.kind() == Kind.INVALID_REQUEST) {
        throw new IOException(
            "%s makes a segment of %,d bytes in the key of a file, but this store allows only %d bytes in a segment. Shorten the segment, or do not partition by this column"
                .formatted(
                    column(segment), KeyLimits.lengthBytes(segment), KeyLimits.SEGMENT_BYTES),
            e);
      }
    }
  }

  /** Names the column and the value in the segment of a partition. */
  private static String column(String segment) {
    int equals = segment.indexOf('=');
    if (equals < 0) {
      return "'" + KeyLimits.shown(segment) + "'";
    }
    String column = ExternalCatalogUtils.unescapePathName(segment.substring(0, equals));
    String value = ExternalCatalogUtils.unescapePathName(segment.substring(equals + 1));
    return "the value '%s' (%,d characters) of the partition column %s"
        .formatted(KeyLimits.shown(value), value.length(), KeyLimits.shown(column));
  }
}
