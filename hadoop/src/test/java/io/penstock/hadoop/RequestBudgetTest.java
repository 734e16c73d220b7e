/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The requests of each operation, of all verbs, as the embedded S3 counts them. The test prints all
 * counts at its end.
 */
@Execution(ExecutionMode.SAME_THREAD)
class RequestBudgetTest {
  private static final Map<String, String> MEASURED = new TreeMap<>();
  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  @AfterAll
  static void print() {
    StringBuilder table = new StringBuilder("S3 requests by operation:\n");
    MEASURED.forEach((what, cost) -> table.append("  %-62s %s%n".formatted(what, cost)));
    System.out.println(table);
  }

  private interface Action {
    void run() throws IOException;
  }

  private Map<String, Long> requests(String what, Action action) throws IOException {
    s3.s3.resetCounts();
    action.run();
    Map<String, Long> requests = s3.s3.counts().requests();
    MEASURED.put(what, s3.s3.counts().total() + "  " + requests);
    return requests;
  }

  private void write(String key, boolean overwrite) throws IOException {
    try (var out = s3.fs.create(EmbeddedFs.path(key), overwrite)) {
      out.write(new byte[100]);
    }
  }

  private static Path path(String key) {
    return EmbeddedFs.path(key);
  }

  @Test
  void aSmallFileIsOnePut() throws IOException {
    assertThat(requests("create + close small file, overwrite", () -> write("t/f.parquet", true)))
        .isEqualTo(Map.of("PutObject", 1L));
    assertThat(requests("create + close small file, no overwrite", () -> write("t/g.crc", false)))
        .isEqualTo(Map.of("PutObject", 1L));
    for (String name : new String[] {"part-00000", ".part-00000-attempt-0", "_partitioner"}) {
      assertThat(requests("create + close " + name + ", overwrite", () -> write("t/" + name, true)))
          .isEqualTo(Map.of("PutObject", 1L));
    }
  }

  @Test
  void aNameLikeADirectorysCostsALookBefore() throws IOException {
    assertThat(requests("create + close, name without extension", () -> write("t/f", true)))
        .isEqualTo(Map.of("ListObjectsV2", 1L, "PutObject", 1L));
  }

  @Test
  void aFileOfTwoPartsIsFourRequests() throws IOException {
    byte[] content = new byte[33 << 20];
    assertThat(requests("create + close 33 MiB", () -> s3.write("t/f.bin", content)))
        .isEqualTo(
            Map.of("CreateMultipartUpload", 1L, "UploadPart", 2L, "CompleteMultipartUpload", 1L));
  }

  @Test
  void aVersionThatIcebergLooksForInVainIsOneListing() throws IOException {
    for (String ending : List.of("metadata.json", "gz.metadata.json", "metadata.json.gz")) {
      Path version = path("t/metadata/v7." + ending);
      assertThat(
              requests("exists, v7." + ending, () -> assertThat(s3.fs.exists(version)).isFalse()))
          .isEqualTo(Map.of("ListObjectsV2", 1L));
    }
    write("t/metadata/v8.metadata.json", true);
    assertThat(
            requests(
                "exists, v8.metadata.json",
                () -> assertThat(s3.fs.exists(path("t/metadata/v8.metadata.json"))).isTrue()))
        .isEqualTo(Map.of("ListObjectsV2", 1L));
    assertThat(
            requests(
                "open + read v8.metadata.json",
                () -> {
                  try (var in = s3.fs.open(path("t/metadata/v8.metadata.json"))) {
                    assertThat(in.readAllBytes()).hasSize(100);
                  }
                }))
        .isEqualTo(Map.of("GetObject", 1L));
  }

  @Test
  void createNewFileIsOnePut() throws IOException {
    assertThat(
            requests(
                "createNewFile", () -> assertThat(s3.fs.createNewFile(path("t/x.lock"))).isTrue()))
        .isEqualTo(Map.of("PutObject", 1L));
    assertThat(
            requests(
                "createNewFile, already there",
                () -> assertThat(s3.fs.createNewFile(path("t/x.lock"))).isFalse()))
        .isEqualTo(Map.of("PutObject", 1L));
  }

  @Test
  void aStatusIsOneRequestWhereTheNameTells() throws IOException {
    s3.put("t/f.parquet", "t/plain", "d/x.y", "u.parquet/f");
    assertThat(requests("getFileStatus file", () -> s3.fs.getFileStatus(path("t/f.parquet"))))
        .isEqualTo(Map.of("HeadObject", 1L));
    assertThat(
            requests(
                "getFileStatus file without extension", () -> s3.fs.getFileStatus(path("t/plain"))))
        .isEqualTo(Map.of("ListObjectsV2", 1L));
    assertThat(requests("getFileStatus directory", () -> s3.fs.getFileStatus(path("d"))))
        .isEqualTo(Map.of("ListObjectsV2", 1L));
    assertThat(
            requests(
                "getFileStatus directory with an extension",
                () -> s3.fs.getFileStatus(path("u.parquet"))))
        .isEqualTo(Map.of("HeadObject", 1L, "ListObjectsV2", 1L));
    assertThat(requests("getFileStatus root", () -> s3.fs.getFileStatus(path(""))))
        .isEqualTo(Map.of());
  }

  @Test
  void whatIsMissingIsOneRequestOrTwo() throws IOException {
    assertThat(
            requests("exists missing", () -> assertThat(s3.fs.exists(path("t/missing"))).isFalse()))
        .isEqualTo(Map.of("ListObjectsV2", 1L));
    assertThat(
            requests(
                "exists missing with an extension",
                () -> assertThat(s3.fs.exists(path("t/missing.txt"))).isFalse()))
        .isEqualTo(Map.of("HeadObject", 1L, "ListObjectsV2", 1L));
    s3.put("t/f.txt");
    assertThat(requests("exists file", () -> assertThat(s3.fs.exists(path("t/f.txt"))).isTrue()))
        .isEqualTo(Map.of("HeadObject", 1L));
  }

  @Test
  void aFileIsOpenedAndReadByOneRequest() throws Exception {
    s3.put("t/f.txt", "t/f.parquet");
    for (String key : new String[] {"t/f.txt", "t/f.parquet"}) {
      assertThat(
              requests(
                  "open + read " + key + ", status not known",
                  () -> assertThat(s3.read(key)).hasSize(3)))
          .isEqualTo(Map.of("GetObject", 1L));
      FileStatus status = s3.fs.getFileStatus(path(key));
      assertThat(
              requests(
                  "openFile + read " + key + ", status known",
                  () -> {
                    try (FSDataInputStream in =
                        s3.fs.openFile(path(key)).withFileStatus(status).build().get()) {
                      assertThat(in.readAllBytes()).hasSize(3);
                    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
                      throw new IOException(e);
                    }
                  }))
          .isEqualTo(Map.of("GetObject", 1L));
    }
  }

  @Test
  void openingWithAKnownStatusAndNotReadingIsFree() throws Exception {
    s3.put("t/f.txt");
    FileStatus status = s3.fs.getFileStatus(path("t/f.txt"));
    s3.s3.resetCounts();
    s3.fs.openFile(path("t/f.txt")).withFileStatus(status).build().get().close();
    assertThat(s3.s3.counts().total()).isZero();
  }

  @Test
  void mkdirsIsTwoRequestsAtMost() throws IOException {
    s3.put("there/f");
    assertThat(requests("mkdirs, new", () -> s3.fs.mkdirs(path("new/deep/er"))))
        .isEqualTo(Map.of("ListObjectsV2", 1L, "PutObject", 1L));
    assertThat(requests("mkdirs, there already", () -> s3.fs.mkdirs(path("there"))))
        .isEqualTo(Map.of("ListObjectsV2", 1L));
    assertThat(requests("mkdirs, new, with an extension", () -> s3.fs.mkdirs(path("t.parquet"))))
        .isEqualTo(Map.of("ListObjectsV2", 1L, "PutObject", 1L));
  }

  @Test
  void deletingAFileIsTwoRequests() throws IOException {
    s3.put("t/f.txt", "t/plain");
    assertThat(requests("delete file", () -> s3.fs.delete(path("t/f.txt"), false)))
        .isEqualTo(Map.of("HeadObject", 1L, "DeleteObject", 1L));
    assertThat(requests("delete file without extension", () -> s3.fs.delete(path("t/plain"), true)))
        .isEqualTo(Map.of("ListObjectsV2", 1L, "DeleteObject", 1L));
    assertThat(requests("delete missing", () -> s3.fs.delete(path("t/gone"), true)))
        .isEqualTo(Map.of("ListObjectsV2", 1L));
  }

  @Test
  void deletingADirectoryOfAHundredFilesIsFiveRequestsAtMost() throws IOException {
    for (int i = 0; i < 100; i++) {
      s3.put("t/f-" + i);
    }
    s3.put("other");
    assertThat(requests("delete directory of 100 files", () -> s3.fs.delete(path("t"), true)))
        .isEqualTo(Map.of("ListObjectsV2", 2L, "DeleteObjects", 1L));
    assertThat(s3.keys()).containsExactly("other");
  }

  @Test
  void renamingAFileIsItsReadingAndWritingAndADirectoryOneCopyAFile() throws IOException {
    s3.put("t/a.txt", "t/keep", "d/1", "d/2", "d/3", "u/keep");
    assertThat(requests("rename file", () -> rename("t/a.txt", "t/b.txt")))
        .isEqualTo(
            Map.of(
                "HeadObject", 1L,
                "ListObjectsV2", 1L,
                "GetObject", 1L,
                "PutObject", 1L,
                "DeleteObject", 1L));
    assertThat(requests("rename directory of 3 files", () -> rename("d", "u/e")))
        .isEqualTo(Map.of("ListObjectsV2", 5L, "CopyObject", 3L, "DeleteObjects", 1L));
    assertThat(s3.keys()).containsExactly("t/b.txt", "t/keep", "u/e/1", "u/e/2", "u/e/3", "u/keep");
  }

  @Test
  void renamingASmallFileJustWrittenIsALookAtTheTargetItsReadingAndWritingAndADelete()
      throws IOException {
    Map<String, Long> four =
        Map.of("ListObjectsV2", 1L, "GetObject", 1L, "PutObject", 1L, "DeleteObject", 1L);
    write("t/.part-00000-attempt-0", false);
    assertThat(requests("rename own file", () -> rename("t/.part-00000-attempt-0", "t/part-00000")))
        .isEqualTo(four);
    assertThat(requests("rename own file again", () -> rename("t/part-00000", "t/part-1")))
        .isEqualTo(four);
    write("t/_temporary/0/task/part-2", false);
    s3.put("t/_temporary/0/task/part-3");
    assertThat(
            requests("rename own file upwards", () -> rename("t/_temporary/0/task/part-2", "t/2")))
        .isEqualTo(
            Map.of("ListObjectsV2", 2L, "GetObject", 1L, "PutObject", 1L, "DeleteObject", 1L));
    assertThat(requests("rename own file downwards", () -> rename("t/2", "t/deep/er/2")))
        .isEqualTo(
            Map.of("ListObjectsV2", 3L, "GetObject", 1L, "PutObject", 1L, "DeleteObject", 1L));
    assertThat(s3.keys()).containsExactly("t/_temporary/0/task/part-3", "t/deep/er/2", "t/part-1");
  }

  @Test
  void renamingALargerFileIsAnUploadOfItsCopy() throws IOException {
    s3.write("t/large.bin", new byte[(1 << 20) + 1]);
    s3.put("t/keep");
    assertThat(requests("rename own large file", () -> rename("t/large.bin", "t/other.bin")))
        .isEqualTo(
            Map.of(
                "ListObjectsV2", 1L,
                "CreateMultipartUpload", 1L,
                "UploadPartCopy", 1L,
                "HeadObject", 1L,
                "CompleteMultipartUpload", 1L,
                "DeleteObject", 1L));
    assertThat(s3.read("t/other.bin")).hasSize((1 << 20) + 1);
  }

  @Test
  void aLocalFileToAFilesNameIsItsUpload(@TempDir java.nio.file.Path directory) throws IOException {
    Path small = local(directory, "000008.sst", 100);
    assertThat(
            requests(
                "copyFromLocalFile x.sst",
                () -> s3.fs.copyFromLocalFile(small, path("c/000008-1.sst"))))
        .isEqualTo(Map.of("PutObject", 1L));
    Path large = local(directory, "000009.sst", 33 << 20);
    assertThat(
            requests(
                "copyFromLocalFile 33 MiB",
                () -> s3.fs.copyFromLocalFile(large, path("c/000009-1.sst"))))
        .isEqualTo(
            Map.of("CreateMultipartUpload", 1L, "UploadPart", 2L, "CompleteMultipartUpload", 1L));
    assertThat(
            requests(
                "copyFromLocalFile x.parquet",
                () -> s3.fs.copyFromLocalFile(small, path("c/x.parquet"))))
        .isEqualTo(Map.of("HeadObject", 1L, "ListObjectsV2", 1L, "PutObject", 1L));
  }

  @Test
  void aFileToALocalOneIsAStatusAndItsContent(@TempDir java.nio.file.Path directory)
      throws IOException {
    s3.put("c/000008-1.sst");
    s3.write("c/000009-1.sst", new byte[33 << 20]);
    Path target = new Path(directory.resolve("000008.sst").toUri());
    assertThat(
            requests(
                "copyToLocalFile", () -> s3.fs.copyToLocalFile(path("c/000008-1.sst"), target)))
        .isEqualTo(Map.of("HeadObject", 1L, "GetObject", 1L));
    assertThat(
            requests(
                "copyToLocalFile 33 MiB",
                () -> s3.fs.copyToLocalFile(path("c/000009-1.sst"), target)))
        .containsEntry("HeadObject", 1L)
        .containsOnlyKeys("HeadObject", "GetObject");
  }

  private static Path local(java.nio.file.Path directory, String name, int sizeBytes)
      throws IOException {
    return new Path(Files.write(directory.resolve(name), new byte[sizeBytes]).toUri());
  }

  private void rename(String source, String target) throws IOException {
    assertThat(s3.fs.rename(path(source), path(target))).isTrue();
  }

  @Test
  void aListingIsOneRequestAThousandKeysAndOneForCommits() throws IOException {
    for (int i = 0; i < 1500; i++) {
      s3.put("t/p=%d/f-%04d".formatted(i % 3, i));
    }
    assertThat(requests("listStatus of 3 directories", () -> assertThat(s3.list("t")).hasSize(3)))
        .isEqualTo(Map.of("ListObjectsV2", 1L));
    // One more looks for commits to the table.
    assertThat(requests("listStatus of 500 files", () -> assertThat(s3.list("t/p=1")).hasSize(500)))
        .isEqualTo(Map.of("ListObjectsV2", 2L));
    assertThat(
            requests(
                "listFiles recursive, 1500 files",
                () -> assertThat(s3.listFiles("t")).hasSize(1500)))
        .isEqualTo(Map.of("ListObjectsV2", 3L));
    assertThat(
            requests(
                "getContentSummary, 1500 files",
                () -> {
                  ContentSummary summary = s3.fs.getContentSummary(path("t"));
                  assertThat(summary.getFileCount()).isEqualTo(1500);
                  assertThat(summary.getDirectoryCount()).isEqualTo(4);
                  assertThat(summary.getLength()).isEqualTo(4500);
                }))
        .isEqualTo(Map.of("ListObjectsV2", 2L));
  }

  @Test
  void whetherConditionalWritesAreHonouredIsTriedOnceABucket() throws IOException {
    try (EmbeddedS3 other = EmbeddedS3.builder().bucket("lake").start();
        EmbeddedFs probing = new EmbeddedFs(other, Map.of("penstock.conditional.writes", "auto"))) {
      probing.fs.createNewFile(path("t/a.lock"));
      // Four tries, two of an upload, their clean-up, and the file itself.
      assertThat(other.counts().requests())
          .isEqualTo(
              Map.of(
                  "PutObject", 5L,
                  "CreateMultipartUpload", 1L,
                  "UploadPart", 1L,
                  "CompleteMultipartUpload", 2L,
                  "AbortMultipartUpload", 1L,
                  "DeleteObject", 1L));
      assertThat(probing.keys()).containsExactly("t/a.lock");

      other.resetCounts();
      probing.fs.createNewFile(path("t/b.lock"));
      assertThat(other.counts().requests()).isEqualTo(Map.of("PutObject", 1L));
    }
  }

  @Test
  void aPlainOverwriteNeverTriesConditionalWrites() throws IOException {
    try (EmbeddedS3 other = EmbeddedS3.builder().bucket("lake").start();
        EmbeddedFs plain = new EmbeddedFs(other, Map.of("penstock.conditional.writes", "auto"))) {
      plain.write("t/a.txt", new byte[1]);
      assertThat(other.counts().requests()).isEqualTo(Map.of("PutObject", 1L));
    }
  }
}
