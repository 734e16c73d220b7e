/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.emulator.s3.EmbeddedS3;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** S3A itself, which reads by Penstock's streams. */
class S3AStreamsTest {
  private static final int SIZE = 3_000_000;
  private static final Path FILE = new Path("s3a://lake/table/part-0.bin");

  private static EmbeddedS3 server;

  @BeforeAll
  static void start() throws IOException {
    server = EmbeddedS3.builder().bucket("lake").start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static byte[] written(FileSystem fs) throws IOException {
    byte[] content = new byte[SIZE];
    new SplittableRandom(1).nextBytes(content);
    try (FSDataOutputStream out = fs.create(FILE, true)) {
      out.write(content);
    }
    return content;
  }

  private static FileSystem open() throws IOException {
    return FileSystem.newInstance(
        URI.create("s3a://lake"), S3AContract.readingByPenstock(new Configuration(), server));
  }

  @Test
  void aFileIsReadWithoutAskingForItsStatusAgain() throws IOException {
    try (FileSystem fs = open()) {
      byte[] content = written(fs);
      FileStatus status = fs.getFileStatus(FILE);
      server.resetCounts();
      try (FSDataInputStream in =
          fs.openFile(FILE)
              .withFileStatus(status)
              .opt("fs.option.openfile.read.policy", "sequential")
              .build()
              .join()) {
        assertThat(Arrays.equals(in.readAllBytes(), content)).isTrue();
        byte[] some = new byte[100];
        in.readFully(2_000_000, some);
        assertThat(some).isEqualTo(Arrays.copyOfRange(content, 2_000_000, 2_000_100));
      }
      assertThat(server.counts().requests()).containsOnlyKeys("GetObject");
    }
  }

  @Test
  void whatWasReadIsCountedOnce() throws IOException {
    try (FileSystem fs = open()) {
      written(fs);
      long before = readSoFar();
      try (FSDataInputStream in = fs.open(FILE)) {
        in.readAllBytes();
        assertThat(in.getIOStatistics().counters()).containsEntry("stream_read_bytes", (long) SIZE);
      }
      assertThat(readSoFar() - before).isEqualTo(SIZE);
    }
  }

  @SuppressWarnings("deprecation") // Spark asks for them.
  private static long readSoFar() {
    return FileSystem.getAllStatistics().stream()
        .mapToLong(FileSystem.Statistics::getBytesRead)
        .sum();
  }

  @Test
  void aFileThatHasChangedOrIsGoneIsNotMixed() throws IOException {
    try (FileSystem fs = open()) {
      written(fs);
      try (FSDataInputStream in = fs.open(FILE)) {
        in.readFully(0, new byte[10]);
        try (FSDataOutputStream out = fs.create(FILE, true)) {
          out.write(new byte[SIZE]);
        }
        assertThatThrownBy(() -> in.readFully(2_500_000, new byte[10]))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("overwritten");
      }
      assertThatThrownBy(() -> fs.open(new Path("s3a://lake/none")))
          .isInstanceOf(FileNotFoundException.class);
    }
  }

  @Nested
  class Open extends AbstractContractOpenTest {
    /** S3A says so of each file. */
    @Override
    protected boolean areZeroByteFilesEncrypted() {
      return true;
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }

  @Nested
  class Seek extends AbstractContractSeekTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }

  @Nested
  class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }

  @Nested
  @ParameterizedClass(name = "buffer-{0}")
  @MethodSource("params")
  class VectoredRead extends AbstractContractVectoredReadTest {
    VectoredRead(String bufferType) {
      super(bufferType);
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }
}
