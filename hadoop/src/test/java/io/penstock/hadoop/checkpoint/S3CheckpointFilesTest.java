/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.checkpoint.Writer;
import io.penstock.core.store.ObjectMeta;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.TestBucket;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A checkpoint in S3, the embedded one or a real server, see {@link TestBucket}. */
class S3CheckpointFilesTest extends CheckpointFilesContract {
  private static final Writer RUN = new Writer(3, "app-3", "host-c", 33, "query-1", "run-c");
  private static final Writer LATER = new Writer(4, "app-4", "host-d", 44, "query-1", "run-d");

  private final Path root = new Path(TestBucket.uri() + "/check point/" + UUID.randomUUID());
  private PenstockFileSystem opened;

  private PenstockFileSystem fs() throws IOException {
    if (opened == null) {
      Configuration conf = TestBucket.conf();
      conf.set("penstock.upload.part.size", "5M");
      opened = (PenstockFileSystem) FileSystem.newInstance(TestBucket.uri(), conf);
    }
    return opened;
  }

  @AfterEach
  void wipe() throws IOException {
    fs().delete(root, true);
    fs().close();
  }

  @Override
  protected CheckpointFiles files() throws IOException {
    return by(RUN);
  }

  private CheckpointFiles by(Writer writer) throws IOException {
    return new S3CheckpointFiles(fs(), root, () -> writer);
  }

  /** Nobody answers. */
  @Override
  protected CheckpointFiles fullFiles() throws IOException {
    Configuration conf = TestBucket.conf();
    conf.set("penstock.endpoint", "http://127.0.0.1:1");
    conf.set("penstock.conditional.writes", "true");
    conf.set("penstock.retry.attempts.max", "1");
    PenstockFileSystem full = (PenstockFileSystem) FileSystem.newInstance(TestBucket.uri(), conf);
    return new S3CheckpointFiles(full, root, () -> RUN);
  }

  @Override
  protected Path root() {
    return root;
  }

  private void write(CheckpointFiles files, String name, int bytes, boolean overwrite)
      throws IOException {
    try (AtomicOutput out = files.create(new Path(root, name), overwrite)) {
      out.write(new byte[bytes], 0, bytes);
    }
  }

  @Test
  void everyFileNamesItsWriterAndALaterRunsStays() throws IOException {
    for (int bytes : new int[] {10, 20_000_000}) {
      String name = "state/0/0/" + bytes + ".snapshot";
      write(by(RUN), name, bytes, true);
      write(by(LATER), name, bytes, true);
      ObjectMeta there = fs().store().head(fs().key(new Path(root, name)));
      assertThat(there.sizeBytes()).isEqualTo(bytes);
      assertThat(there.writeId().flatMap(Writer::ofWriteId)).contains(LATER);
      assertThatThrownBy(() -> write(by(RUN), name, bytes, true))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining(
              "written by application app-4 on host-d (pid 44, run run-d, epoch 4)");
    }
  }

  @Test
  void aStoreWithoutConditionalWritesIsRefused() throws IOException {
    Configuration conf = TestBucket.conf();
    conf.set("penstock.conditional.writes", "false");
    try (FileSystem fs = FileSystem.newInstance(TestBucket.uri(), conf)) {
      CheckpointFiles files = new S3CheckpointFiles((PenstockFileSystem) fs, root, () -> RUN);
      assertThatThrownBy(() -> write(files, "offsets/0", 3, false))
          .hasMessageContaining("this store ignores the conditions of conditional writes");
      assertThat(fs().exists(new Path(root, "offsets/0"))).isFalse();
    }
  }

  @Test
  void whetherTheNextBatchesFileIsThereIsKnownWithoutALook() throws IOException {
    CheckpointFiles files = by(RUN);
    write(files, "offsets/7", 3, false);
    write(by(LATER), "offsets/8", 3, false);
    assertThat(files.exists(new Path(root, "offsets/7"))).isTrue();
    assertThat(files.exists(new Path(root, "offsets/8"))).isFalse();
    assertThatThrownBy(() -> write(files, "offsets/8", 3, false))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("application app-4");
    // From now on it looks, and is told by whom it was overtaken.
    assertThatThrownBy(() -> files.exists(new Path(root, "offsets/8")))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("application app-4");
  }

  @Test
  void aSnapshotWithAnIdMayBeAnotherExecutorsAndIsLookedFor() throws IOException {
    CheckpointFiles files = by(RUN);
    write(files, "state/0/0/10_u.zip", 3, true);
    write(by(RUN), "state/0/0/20_v.zip", 3, true);
    assertThat(files.exists(new Path(root, "state/0/0/20_v.zip"))).isTrue();
    assertThat(files.exists(new Path(root, "state/0/0/20_w.zip"))).isFalse();
  }

  @Test
  void aListingThatCameLateTakesNothingBack() throws IOException {
    CheckpointFiles files = by(RUN);
    write(files, "offsets/7", 3, false);
    fs().delete(new Path(root, "offsets/7"), false);
    files.list(new Path(root, "offsets"));
    write(by(LATER), "offsets/7", 3, false);
    assertThatThrownBy(() -> files.exists(new Path(root, "offsets/7")))
        .as("7 is asked for, since this run has written it once")
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void othersSeeTheDirectoryOfASinksLogBeforeItsFirstBatch() throws IOException {
    files().mkdirs(new Path(root, "sink/_spark_metadata"));
    assertThat(fs().exists(new Path(root, "sink/_spark_metadata"))).isTrue();
    files().mkdirs(new Path(root, "checkpoint/offsets"));
    assertThat(fs().exists(new Path(root, "checkpoint/offsets"))).isFalse();
  }

  @Test
  void whatAnEarlierRunWroteIsThere() throws IOException {
    write(by(RUN), "commits/7", 3, false);
    assertThat(by(LATER).exists(new Path(root, "commits/7"))).isTrue();
    assertThat(by(LATER).exists(new Path(root, "commits/8"))).isFalse();
  }
}
