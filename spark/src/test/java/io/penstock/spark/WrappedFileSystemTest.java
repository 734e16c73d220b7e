/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.spark.checkpoint.PenstockCheckpointFileManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.junit.jupiter.api.Test;

/**
 * A file system of somebody else around Penstock's, set as {@code fs.s3.impl}, as Unity Catalog
 * sets one that chooses the credentials of a table.
 */
class WrappedFileSystemTest {
  private final SparkSession spark = Lake.spark();

  /** Opened anew for each path, as Unity Catalog's is; what it wraps is kept. */
  public static final class Scoped extends FilterFileSystem {
    private static final Map<String, FileSystem> INNER = new ConcurrentHashMap<>();

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
      FileSystem known = INNER.get(uri.getAuthority());
      if (known == null) {
        Configuration own = new Configuration(conf);
        own.set("fs.s3.impl", PenstockFileSystem.class.getName());
        known = FileSystem.newInstance(uri, own);
        INNER.put(uri.getAuthority(), known);
      }
      fs = known;
    }

    @Override
    public void close() {}
  }

  private static void write(SparkSession spark, String mode, String path) {
    spark
        .range(0, 1_000, 1, 10)
        .write()
        .mode(mode)
        .option("fs.s3.impl", Scoped.class.getName())
        .option("fs.s3.impl.disable.cache", "true")
        .parquet(path);
  }

  @Test
  void itsWritesAreCommittedWithoutRenames() {
    String path = "s3://lake/wrapped/table";
    Map<String, Long> first = Lake.requests(() -> write(spark, "overwrite", path));
    Map<String, Long> appended = Lake.requests(() -> write(spark, "append", path));

    assertThat(first).doesNotContainKey("CopyObject").containsEntry("PutObject", 10L + 4);
    assertThat(appended).doesNotContainKey("CopyObject");
    assertThat(spark.read().parquet(path).count()).isEqualTo(2_000);
    write(spark, "overwrite", path);
    assertThat(spark.read().parquet(path).count()).isEqualTo(1_000);
  }

  @Test
  void itsCheckpointsAreWrittenByConditionalPuts() throws IOException {
    Configuration conf = new Configuration(spark.sessionState().newHadoopConf());
    conf.set("fs.s3.impl", Scoped.class.getName());
    conf.set("fs.s3.impl.disable.cache", "true");
    Path checkpoint = new Path("s3://lake/wrapped/checkpoint");
    CheckpointFileManager files = new PenstockCheckpointFileManager(checkpoint, conf);

    Map<String, Long> requests =
        Lake.requests(
            () -> {
              try (var out = files.createAtomic(new Path(checkpoint, "offsets/0"), false)) {
                out.write(1);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertThat(requests).doesNotContainKey("CopyObject").containsKey("PutObject");
    assertThat(files.exists(new Path(checkpoint, "offsets/0"))).isTrue();
  }
}
