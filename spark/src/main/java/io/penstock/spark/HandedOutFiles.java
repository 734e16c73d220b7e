/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.tree.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that Spark asked for in one task, to find those that another S3 client wrote. */
final class HandedOutFiles {
  private static final Logger LOG = LoggerFactory.getLogger(HandedOutFiles.class);

  private final List<HandedOut> files = new ArrayList<>();

  /**
   * A file that Spark asked for.
   *
   * @param key where another client's object would be
   * @param finalPlace bucket and key of the file once the job has committed
   */
  private record HandedOut(Path path, String key, String finalPlace) {}

  /** Returns the path of the file as Spark wants it. */
  String add(PenstockFileSystem fs, Path file) {
    String key = fs.key(file);
    String finalKey = Segment.in(key).map(Segment.Split::finalKey).orElse(key);
    files.add(new HandedOut(file, key, place(fs.store().bucket(), finalKey)));
    return file.toString();
  }

  /**
   * Fails if one of the files was written past Penstock, as a writer in native code may do. Its
   * object is where no reader looks, and the job would commit without it. Spark writes each file
   * that it asks for, so usually this makes no request.
   *
   * @param written the task's files that Penstock wrote
   */
  void refuseWritesPastUs(List<TaskFile> written, Configuration conf) throws IOException {
    Set<String> known = new HashSet<>();
    written.forEach(file -> known.add(place(file.bucket(), file.key())));
    for (HandedOut file : files) {
      if (!known.contains(file.finalPlace)) {
        refuseIfThere(file, Ours.at(file.path, conf));
      }
    }
  }

  private static void refuseIfThere(HandedOut file, PenstockFileSystem fs) throws IOException {
    if (isObject(fs, file.key)) {
      throw delete(
          fs,
          file.key,
          new IOException(
              "%s was written by another S3 client than Penstock's, so this job cannot commit it. Switch off the native engine's own writer, for example with spark.comet.write.parquet.enabled=false (spark.comet.parquet.write.enabled in older releases) or spark.gluten.sql.native.writer.enabled=false; then Spark writes the files"
                  .formatted(file.path)));
    }
  }

  private static String place(String bucket, String key) {
    return bucket + "/" + key;
  }

  private static IOException delete(PenstockFileSystem fs, String key, IOException failure) {
    try {
      fs.store().delete(key);
    } catch (IOException e) {
      failure.addSuppressed(Failures.translate(key, e));
    }
    return failure;
  }

  private static boolean isObject(PenstockFileSystem fs, String key) throws IOException {
    try {
      fs.store().head(key);
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.ACCESS_DENIED) {
        // A job that may not read may still write.
        LOG.warn(
            "It is not known whether another S3 client wrote {}, which Penstock did not: {}",
            key,
            e.getMessage());
        return false;
      }
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw Failures.translate(key, e);
    }
  }
}
