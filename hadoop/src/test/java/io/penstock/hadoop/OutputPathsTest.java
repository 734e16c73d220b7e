/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Paths of partitions that are not where their table is, and outputs that are files. */
class OutputPathsTest {
  private final EmbeddedFs lake = embedded();

  private static EmbeddedFs embedded() {
    try {
      return new EmbeddedFs();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    lake.close();
  }

  @Test
  void bothSchemesNameTheSameObjects() throws IOException {
    lake.put("t/p=1/a");

    assertThat(lake.fs.exists(new Path("s3a://lake/t/p=1"))).isTrue();
    assertThat(lake.fs.exists(new Path("s3a://lake/t/p=2"))).isFalse();
    assertThat(lake.fs.getFileStatus(new Path("s3a://lake/t/p=1/a")).getLen()).isEqualTo(3);
    assertThat(lake.fs.delete(new Path("s3a://lake/t/p=1"), true)).isTrue();
    assertThat(lake.keys()).containsExactly("t/");
  }

  @Test
  void aTablesFileSystemAnswersForOtherBuckets() throws IOException {
    Path partition = new Path(TestBucket.uri() + "/output-paths/p=1/a");
    partition.getFileSystem(TestBucket.conf()).create(partition).close();
    // A file system of another bucket, with the settings of the bucket that is asked for.
    BulkDeletingFileSystem table = new BulkDeletingFileSystem(lake.engine);
    table.initialize(
        java.net.URI.create("s3://pond"),
        EmbeddedFs.conf(TestBucket.embedded(), Map.of("fs.s3.impl.disable.cache", "true")));

    assertThat(table.exists(partition.getParent())).isTrue();
    assertThat(table.exists(new Path(TestBucket.uri() + "/output-paths/p=2"))).isFalse();
    table.close();
  }

  @Test
  void aPartitionOnAnotherFileSystemIsRefusedByName() {
    assertThatThrownBy(() -> lake.fs.exists(new Path("file:///data/p=1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("file:/data/p=1 is not on S3, but the table is (s3://lake)")
        .hasMessageContaining("location to a path on S3");
    assertThatThrownBy(() -> lake.fs.getFileStatus(new Path("file:///data/p=1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Wrong FS: file:/data/p=1, expected: s3://lake");
  }

  @Test
  void anOutputThatIsAFileIsFoundWithOneHeadIfItsNameLooksLikeAFile() throws IOException {
    PenstockFileSystem fs = (PenstockFileSystem) lake.fs;
    lake.put("report.csv");
    lake.s3.resetCounts();

    OutputPaths.requireNoFile(fs, EmbeddedFs.path("table"));
    assertThat(lake.s3.counts().requests()).isEmpty();
    OutputPaths.requireNoFile(fs, EmbeddedFs.path("absent.csv"));
    assertThat(lake.s3.counts().requests()).isEqualTo(Map.of("HeadObject", 1L));
    assertThatThrownBy(() -> OutputPaths.requireNoFile(fs, EmbeddedFs.path("report.csv")))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(
            "s3://lake/report.csv is a file, so nothing can be written under it: overwrite it, or"
                + " write elsewhere");
  }
}
