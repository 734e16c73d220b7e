/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.upload.InlineBudget;
import io.penstock.hadoop.commit.OutputCommit;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.MultipartUploader;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files created under a reserved segment, through the file system. */
class PendingFilesTest {
  private static final Segment SEGMENT = new Segment("job", "0");
  private static final String UNDER = "t/__penstock_job_0";
  private static final Path FILE = EmbeddedFs.path(UNDER + "/p=1/f.parquet");

  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
    s3.engine.jobs().begin(SEGMENT, InlineBudget.none());
  }

  @AfterEach
  void stop() throws IOException {
    s3.engine.jobs().abort(SEGMENT);
    s3.close();
  }

  private void write(Path path, int size) throws IOException {
    try (FSDataOutputStream out = s3.fs.create(path, false)) {
      out.write(new byte[size]);
    }
  }

  private OutputCommit commit() {
    return new OutputCommit((PenstockFileSystem) s3.fs, EmbeddedFs.path("t"), "job", "test");
  }

  @Test
  void aPendingFileIsInvisibleInTheTable() throws IOException {
    s3.put("t/p=0/old");
    write(FILE, 5);
    s3.engine.jobs().drain(SEGMENT);

    assertThat(s3.list("t")).containsExactly("p=0/");
    assertThat(s3.listFiles("t")).containsExactly("t/p=0/old");
    assertThat(s3.listFiles("")).containsExactly("t/p=0/old");
    assertThat(s3.fs.getContentSummary(EmbeddedFs.path("t")).getFileCount()).isEqualTo(1);
    assertThat(s3.fs.exists(EmbeddedFs.path("t/p=1"))).isFalse();
    assertThat(s3.fs.exists(EmbeddedFs.path("t/p=1/f.parquet"))).isFalse();
    assertThat(s3.keys()).containsExactly("t/p=0/old");
    assertThat(s3.pendingUploads()).isEqualTo(1);
  }

  @Test
  void aSmallFileWhoseKeyAStoreMayRefuseIsUploadedByItsTask() throws IOException {
    s3.engine.jobs().begin(SEGMENT, new InlineBudget(1000, 1000));
    write(EmbeddedFs.path(UNDER + "/p=1/f-job"), 5);
    write(EmbeddedFs.path(UNDER + "/p=" + "a".repeat(300) + "/f-job"), 5);
    write(EmbeddedFs.path(UNDER + "/p=\u007f/f-job"), 5);

    List<TaskFile> files = s3.engine.jobs().drain(SEGMENT);

    assertThat(files)
        .extracting(file -> file.getClass().getSimpleName())
        .containsExactly("InlineFile", "TaskUpload", "TaskUpload");
  }

  @Test
  void itsStatusBelowTheSegmentCostsNoRequest() throws Exception {
    try (FSDataOutputStream out = s3.fs.create(FILE, false)) {
      out.write(new byte[5]);
      assertThat(s3.fs.getFileStatus(FILE).getLen()).isEqualTo(5);
      assertThat(s3.s3.counts().total()).isZero();
    }
    s3.engine
        .jobs()
        .find(SEGMENT, "lake", "t/p=1/f.parquet")
        .orElseThrow()
        .writer()
        .pending()
        .get();
    s3.s3.resetCounts();

    FileStatus status = s3.fs.getFileStatus(FILE);
    assertThat(status.isFile()).isTrue();
    assertThat(status.getLen()).isEqualTo(5);
    assertThat(status.getPath()).isEqualTo(FILE);
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path(UNDER)).isDirectory()).isTrue();
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path(UNDER + "/p=1")).isDirectory()).isTrue();
    assertThat(s3.fs.exists(EmbeddedFs.path(UNDER + "/p=2"))).isFalse();
    assertThat(s3.fs.mkdirs(EmbeddedFs.path(UNDER + "/p=2"))).isTrue();
    assertThatThrownBy(() -> s3.fs.getFileStatus(EmbeddedFs.path(UNDER + "/p=1/g")))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(s3.s3.counts().total()).isZero();
  }

  @Test
  void aSmallPendingFileIsTwoRequestsAndOneMoreAtTheCommit() throws IOException {
    write(FILE, 5);
    List<TaskFile> uploads = s3.engine.jobs().drain(SEGMENT);
    assertThat(s3.s3.counts().requests())
        .isEqualTo(Map.of("CreateMultipartUpload", 1L, "UploadPart", 1L));
    commit().commit(uploads, OptionalLong.empty(), s3.fs.getConf());
    // Beside the file's own: intent, what it replaces, decision, _SUCCESS; the fence, old names;
    // its proof.
    assertThat(s3.s3.counts().requests())
        .isEqualTo(
            Map.of(
                "CreateMultipartUpload", 1L,
                "UploadPart", 1L,
                "CompleteMultipartUpload", 1L,
                "PutObject", 4L,
                "ListObjectsV2", 3L,
                "DeleteObjects", 1L));
  }

  @Test
  void theJobsCommitMakesItVisibleAtItsFinalPlace() throws IOException {
    s3.put("t/p=1/old.parquet");
    write(FILE, 5);
    write(EmbeddedFs.path(UNDER + "/p=2/empty.parquet"), 0);
    OutputCommit commit = commit();
    commit.replace("lake", "t/");

    commit.commit(s3.engine.jobs().drain(SEGMENT), OptionalLong.empty(), s3.fs.getConf());

    assertThat(s3.keys()).containsExactly("t/_SUCCESS", "t/p=1/f.parquet", "t/p=2/empty.parquet");
    assertThat(s3.read("t/p=1/f.parquet")).hasSize(5);
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/p=2/empty.parquet")).getLen()).isZero();
    assertThat(s3.pendingUploads()).isZero();
  }

  @Test
  void deletingItDropsItsUpload() throws IOException {
    write(FILE, 5);
    assertThat(s3.fs.delete(FILE, false)).isTrue();
    assertThat(s3.fs.delete(FILE, false)).isFalse();
    assertThat(s3.pendingUploads()).isZero();
    assertThat(s3.engine.jobs().drain(SEGMENT)).isEmpty();
  }

  @Test
  void deletingTheSegmentDropsAllItsUploadsAndNothingOfTheTable() throws IOException {
    s3.put("t/p=1/old");
    write(FILE, 5);
    write(EmbeddedFs.path(UNDER + "/p=2/g.parquet"), 5);
    assertThat(s3.fs.delete(EmbeddedFs.path(UNDER), true)).isTrue();
    assertThat(s3.pendingUploads()).isZero();
    assertThat(s3.keys()).containsExactly("t/p=1/old");
  }

  @Test
  void anAbortedStreamIsNotCommitted() throws IOException {
    FSDataOutputStream out = s3.fs.create(FILE, false);
    out.write(1);
    assertThat(out.abort().alreadyClosed()).isFalse();
    assertThat(s3.engine.jobs().drain(SEGMENT)).isEmpty();
    assertThat(s3.pendingUploads()).isZero();
  }

  @Test
  void aStreamThatIsAbortedLateLeavesTheFileThatTookItsPlace() throws IOException {
    FSDataOutputStream first = s3.fs.create(FILE, true);
    try (FSDataOutputStream second = s3.fs.create(FILE, true)) {
      second.write(new byte[7]);
    }
    first.abort();

    assertThat(s3.engine.jobs().drain(SEGMENT)).extracting(TaskFile::sizeBytes).containsExactly(7L);
  }

  @Test
  void aPendingFileIsNeitherReadNorRenamed() throws IOException {
    write(FILE, 5);
    assertThatThrownBy(() -> s3.fs.open(FILE))
        .hasMessage(FILE + " cannot be read before its job commits");
    assertThatThrownBy(() -> s3.fs.rename(FILE, EmbeddedFs.path("t/x")))
        .hasMessageContaining("belongs to a task that has not committed, so it cannot be renamed");
  }

  @Test
  void theListingOfTheSegmentShowsItsFiles() throws IOException {
    write(FILE, 5);
    FileStatus[] listed = s3.fs.listStatus(EmbeddedFs.path(UNDER + "/p=1"));
    assertThat(listed).hasSize(1);
    assertThat(listed[0].getPath().getName()).isEqualTo("f.parquet");
    assertThat(listed[0].getLen()).isEqualTo(5);
  }

  @SuppressWarnings("deprecation") // FileContext calls it
  private void replaced(String source, String target) throws IOException {
    ((PenstockFileSystem) s3.fs)
        .rename(EmbeddedFs.path(source), EmbeddedFs.path(target), Options.Rename.OVERWRITE);
  }

  @Test
  void noRenameThatMayReplaceTouchesAPendingFile() throws Exception {
    s3.put("t/top.parquet", "e/", "other");
    write(FILE, 5);
    for (String[] one :
        new String[][] {
          {UNDER + "/p=1/f.parquet", "t/top.parquet"},
          {UNDER, "e"},
          {"t/top.parquet", UNDER},
          {"t/top.parquet", UNDER + "/p=1/f.parquet"},
          {UNDER + "/none", "t/top.parquet"}
        }) {
      assertThatThrownBy(() -> replaced(one[0], one[1]))
          .as("%s to %s", one[0], one[1])
          .isInstanceOf(IOException.class);
    }
    assertThat(s3.keys()).containsExactly("e/", "other", "t/top.parquet");
    assertThat(s3.engine.jobs().drain(SEGMENT)).hasSize(1);
  }

  @Test
  void aDirectoryWithPendingFilesIsDeletedOnlyWithThem() throws IOException {
    write(FILE, 5);
    assertThatThrownBy(() -> s3.fs.delete(EmbeddedFs.path(UNDER + "/p=1"), false))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class);
    assertThat(s3.fs.delete(EmbeddedFs.path(UNDER + "/p=1"), true)).isTrue();
    assertThat(s3.engine.jobs().drain(SEGMENT)).isEmpty();
  }

  @Test
  void aBulkDeleteOfAPendingFileTakesItOutOfTheCommit() throws IOException {
    write(FILE, 5);
    Path other = EmbeddedFs.path(UNDER + "/p=2/g.parquet");
    write(other, 5);
    s3.put("t/old");
    try (BulkDelete bulk = s3.fs.createBulkDelete(EmbeddedFs.path("t"))) {
      assertThat(bulk.bulkDelete(List.of(FILE, EmbeddedFs.path("t/old")))).isEmpty();
      assertThat(bulk.bulkDelete(List.of(EmbeddedFs.path(UNDER)))).hasSize(1);
    }
    assertThat(s3.keys()).isEmpty();
    assertThat(s3.engine.jobs().drain(SEGMENT))
        .extracting(upload -> upload.key())
        .containsExactly("t/p=2/g.parquet");
  }

  @Test
  void aPendingFileIsNotUploadedByHand() throws IOException {
    try (MultipartUploader uploader = s3.fs.createMultipartUploader(EmbeddedFs.path("t")).build()) {
      assertThatThrownBy(() -> uploader.startUpload(FILE).get())
          .hasMessageContaining("belongs to a task that has not committed");
    }
    assertThat(s3.pendingUploads()).isZero();
  }
}
