/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.emulator.s3.Credentials;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import io.penstock.hadoop.EmbeddedFs;
import io.penstock.hadoop.TestBucket;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathPermissionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a caller of the file system sees when S3 says no, or nothing. */
class FailuresTest {

  /** Every way to ask for a file. */
  private static Map<String, ThrowingCallable> questions(FileSystem fs, Path path) {
    Map<String, ThrowingCallable> questions = new HashMap<>();
    questions.put("getFileStatus", () -> fs.getFileStatus(path));
    questions.put("exists", () -> fs.exists(path));
    questions.put("open", () -> fs.open(path).close());
    questions.put("listStatus", () -> fs.listStatus(path));
    questions.put("listFiles", () -> fs.listFiles(path, true).hasNext());
    questions.put("getContentSummary", () -> fs.getContentSummary(path));
    questions.put("mkdirs", () -> fs.mkdirs(path));
    questions.put("delete", () -> fs.delete(path, true));
    questions.put("rename", () -> fs.rename(path, new Path(path.getParent(), "new")));
    questions.put("create", () -> fs.create(path, true).close());
    return questions;
  }

  private static void assertEachFails(FileSystem fs, Path path, String message) {
    questions(fs, path)
        .forEach(
            (name, question) ->
                assertThatThrownBy(question)
                    .as(name)
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining(message));
  }

  @Test
  void aMissingBucketIsNotAMissingFile() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start();
        FileSystem fs =
            FileSystem.newInstance(URI.create("s3://nowhere"), EmbeddedFs.conf(s3, Map.of()))) {
      assertEachFails(fs, new Path("s3://nowhere/t/f.txt"), "s3://nowhere");
      assertEachFails(fs, new Path("s3://nowhere/t/plain"), "s3://nowhere");
    }
  }

  @Test
  void wrongCredentialsAreSaidToBeAndNeverShown() throws IOException {
    try (EmbeddedS3 s3 =
            EmbeddedS3.builder().bucket("lake").credentials(Credentials.of("k", "right")).start();
        EmbeddedFs fs =
            new EmbeddedFs(
                s3, Map.of("penstock.access.key", "k", "penstock.secret.key", "hunter2"))) {
      questions(fs.fs, EmbeddedFs.path("t/f.txt"))
          .forEach(
              (name, question) ->
                  assertThatThrownBy(question)
                      .as(name)
                      .isInstanceOf(PathIOException.class)
                      .hasMessageNotContaining("hunter2"));
    }
  }

  @Test
  void aBucketThatMayNotBeWrittenIsAPermissionFailure() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().readOnlyBucket("lake").start();
        EmbeddedFs fs = new EmbeddedFs(s3, Map.of())) {
      fs.put("t/f.txt");
      assertThat(fs.read("t/f.txt")).hasSize(3);
      List<ThrowingCallable> changes =
          List.of(
              () -> fs.write("t/g.txt", new byte[1]),
              () -> fs.fs.createNewFile(EmbeddedFs.path("t/h.txt")),
              () -> fs.fs.mkdirs(EmbeddedFs.path("new")),
              () -> fs.fs.delete(EmbeddedFs.path("t/f.txt"), false),
              () -> fs.fs.delete(EmbeddedFs.path("t"), true),
              () -> fs.fs.rename(EmbeddedFs.path("t/f.txt"), EmbeddedFs.path("t/g.txt")));
      for (ThrowingCallable change : changes) {
        assertThatThrownBy(change).isInstanceOf(PathPermissionException.class);
      }
      assertThat(fs.keys()).containsExactly("t/f.txt");
    }
  }

  @Test
  void anEndpointThatNobodyListensAtIsNamed() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Configuration conf = TestBucket.conf();
    conf.set("penstock.endpoint", "http://127.0.0.1:" + port);
    conf.set("penstock.retry.delay.min", "1ms");
    try (FileSystem fs = FileSystem.newInstance(URI.create("s3://lake"), conf)) {
      assertThatThrownBy(() -> fs.getFileStatus(new Path("s3://lake/f.txt")))
          .isInstanceOf(PathIOException.class)
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("Gave up after 4 attempts");
    }
  }

  @Test
  void aFileThatExistsIsNotCreatedAgainWithoutOverwrite() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.put("t/f.txt");
      FSDataOutputStream out = s3.fs.create(EmbeddedFs.path("t/f.txt"), false);
      out.write(1);
      assertThatThrownBy(out::close).isInstanceOf(FileAlreadyExistsException.class);
      assertThat(s3.read("t/f.txt")).hasSize(3);
      assertThat(s3.pendingUploads()).isZero();
    }
  }

  @Test
  void aLostAnswerToACreateIsNoConflict() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.s3.weather(Weather.CALM.withFaults("PutObject#1=reset-after"));
      assertThat(s3.fs.createNewFile(EmbeddedFs.path("t/x.lock"))).isTrue();
      assertThat(s3.s3.counts().requests()).isEqualTo(Map.of("PutObject", 2L, "HeadObject", 1L));
    }
  }

  @Test
  void throttlingResetsAndBrokenAnswersAreRetried() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.s3.weather(
          Weather.CALM.withFaults(
              "PutObject#1=503,PutObject#2=500-after,GetObject#1=reset-before,GetObject#2=truncate"));
      s3.write("t/f.txt", new byte[1000]);
      assertThat(s3.read("t/f.txt")).hasSize(1000);
      assertThat(s3.s3.counts().requests()).isEqualTo(Map.of("PutObject", 3L, "GetObject", 3L));
    }
  }

  @Test
  void aFileReplacedWhileItIsReadIsAnErrorAndNotAMix() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.write("t/f.bin", new byte[3 << 20]);
      try (FSDataInputStream in = s3.fs.open(EmbeddedFs.path("t/f.bin"))) {
        in.readFully(new byte[100]);
        byte[] other = new byte[3 << 20];
        other[0] = 1;
        s3.write("t/f.bin", other);
        assertThatThrownBy(() -> in.readFully(new byte[2 << 20]))
            .isInstanceOf(PathIOException.class)
            .hasMessageContaining("was overwritten while it was read");
      }
    }
  }

  @Test
  void aClosedFileSystemSaysSo() throws IOException {
    EmbeddedFs s3 = new EmbeddedFs();
    s3.close();
    assertThatThrownBy(() -> s3.fs.getFileStatus(EmbeddedFs.path("f")))
        .hasMessageContaining("the file system of s3://lake is closed");
    s3.fs.close();
  }

  @Test
  void withoutAnyRatePolicyAThrottledRequestFails() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start();
        EmbeddedFs fs = new EmbeddedFs(s3, Map.of("penstock.rate.policy", "none"))) {
      s3.weather(Weather.CALM.withFaults("PutObject#1=503"));
      assertThatThrownBy(() -> fs.write("t/f.txt", new byte[1]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Gave up after 1 attempts")
          .hasMessageContaining("throttled");
    }
  }

  @Test
  void openingAndClosingFileSystemsLeavesNoThreads() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
      List<Long> counts = new ArrayList<>();
      for (int round = 0; round < 80; round++) {
        try (FileSystem fs =
            FileSystem.newInstance(URI.create("s3://lake"), EmbeddedFs.conf(s3, Map.of()))) {
          fs.create(EmbeddedFs.path("t/f.txt"), true).close();
          fs.delete(EmbeddedFs.path("t"), true);
        }
        counts.add(penstockThreads());
      }
      // The pool is the process's, of 64 threads at most, and so is the one thread that watches.
      // Tests before this one may have left a few that end when they have been idle.
      long before = counts.get(0);
      assertThat(counts)
          .allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(Math.max(65, before + 1)));
    }
  }

  /** Without those of hedges, which a busy machine may bring; they are the process's too. */
  private static long penstockThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("penstock-"))
        .filter(thread -> !thread.getName().startsWith("penstock-hedge-"))
        .count();
  }
}
