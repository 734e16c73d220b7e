/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Spark, Hive and the JDK count on, beyond Hadoop's contract suites. */
class ManyCallersTest {
  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  @Test
  void aGzipFileOfManyMembersIsReadToItsEndWhereverAFetchEnds() throws IOException {
    SplittableRandom chance = new SplittableRandom(7);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    int length = 0;
    // Members of about 10 KB against fetches of 1 MiB and more: some end just before a fetch does.
    for (int member = 0; member < 300; member++) {
      byte[] content = new byte[10_000 + chance.nextInt(100)];
      chance.split().nextBytes(content);
      try (GZIPOutputStream out = new GZIPOutputStream(file)) {
        out.write(content);
      }
      length += content.length;
    }
    s3.bucket().put("log.gz", Body.ofBytes(file.toByteArray()), Condition.NONE);

    try (FSDataInputStream raw = s3.fs.open(EmbeddedFs.path("log.gz"))) {
      assertThat(raw.available()).isEqualTo(file.size());
      try (InputStream in = new GZIPInputStream(raw)) {
        assertThat(in.readAllBytes()).hasSize(length);
      }
    }
  }

  @Test
  void whatIsToBeDeletedOnExitIsDeletedWhenTheFileSystemCloses() throws IOException {
    s3.put("scratch/a", "kept");
    s3.fs.deleteOnExit(EmbeddedFs.path("scratch"));
    s3.fs.close();
    assertThat(s3.keys()).containsExactly("kept");
  }

  @Test
  void thereAreNoDelegationTokensToGet() throws IOException {
    assertThat(s3.fs.getCanonicalServiceName()).isNull();
    assertThat(s3.fs.addDelegationTokens("yarn", null)).isNullOrEmpty();
  }

  @Test
  void aTaskCannotWriteOneFileTwiceUnlessItMeansTo() throws IOException {
    Segment segment = new Segment("twice", "0");
    Path file = EmbeddedFs.path("t/__penstock_twice_0/part-0.parquet");
    s3.fs.create(file, false).close();
    assertThatThrownBy(() -> s3.fs.create(file, false))
        .isInstanceOf(FileAlreadyExistsException.class);
    s3.fs.create(file, true).close();
    assertThat(s3.engine.jobs().drain(segment)).hasSize(1);
  }

  @Test
  void vectoredReadsAreCountedForTheThreadThatAsked() throws Exception {
    s3.write("table.parquet", new byte[100_000]);
    long before = read();
    try (FSDataInputStream in = s3.fs.open(EmbeddedFs.path("table.parquet"))) {
      List<FileRange> ranges =
          List.of(FileRange.createFileRange(0, 1000), FileRange.createFileRange(50_000, 2000));
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        range.getData().get();
      }
    }
    assertThat(read() - before).isEqualTo(3000);
  }

  @SuppressWarnings("deprecation") // Spark reads its input metrics here.
  private static long read() {
    return FileSystem.getStatistics("s3", BulkDeletingFileSystem.class)
        .getThreadStatistics()
        .getBytesRead();
  }

  @Test
  void aConfigurationThatWasCopiedEntryByEntryHasNoWishesOfCoreDefault() {
    Configuration copy = new Configuration(false);
    for (Map.Entry<String, String> entry : new Configuration()) {
      copy.set(entry.getKey(), entry.getValue());
    }
    copy.set("fs.s3a.endpoint.region", "eu-west-1");
    assertThat(HadoopSettings.of(copy).foreign("fs.s3a.aws.credentials.provider")).isEmpty();
    assertThat(HadoopSettings.of(copy).foreign("fs.s3a.endpoint.region")).contains("eu-west-1");
  }
}
