/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.input.BucketSource;
import io.penstock.analyze.input.LocalSource;
import io.penstock.analyze.input.LogSource;
import io.penstock.core.store.ObjectMeta;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The location of a log in a form that can be sent to another machine. Holds no secret. */
sealed interface SourceRef extends Serializable {
  LogSource open(WorkStores stores) throws IOException;

  static SourceRef of(LogSource source) {
    if (source instanceof LocalSource local) {
      String path = local.path().toAbsolutePath().normalize().toString();
      return new Local(path, local.sizeBytes(), local.version());
    }
    if (source instanceof BucketSource object) {
      ObjectMeta meta = object.meta();
      return new InBucket(
          object.bucket(), meta.key(), meta.sizeBytes(), meta.etag(), meta.lastModified());
    }
    throw new IllegalArgumentException(source.name() + " cannot be read by other machines");
  }

  /** A file that has the same path on every machine. */
  record Local(String path, long sizeBytes, String version) implements SourceRef {
    @Override
    public LogSource open(WorkStores stores) throws IOException {
      Path file = Path.of(path);
      if (!Files.isReadable(file) || Files.size(file) != sizeBytes) {
        throw new IOException(
            ("%s is not there on %s, or not as the driver sees it. Spark's executors read logs"
                    + " themselves: put them where every machine has them under the same path, or"
                    + " in a bucket.")
                .formatted(path, InetAddress.getLocalHost().getHostName()));
      }
      return new LocalSource(file, sizeBytes, version, path);
    }
  }

  /** An object, in the version that the driver saw. */
  record InBucket(String bucket, String key, long sizeBytes, String etag, Instant lastModified)
      implements SourceRef {
    @Override
    public LogSource open(WorkStores stores) throws IOException {
      ObjectMeta meta = new ObjectMeta(key, sizeBytes, etag, lastModified);
      return BucketSource.of(stores.store(bucket), meta);
    }
  }
}
