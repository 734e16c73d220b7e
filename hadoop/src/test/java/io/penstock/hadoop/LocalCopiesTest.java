/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is copied from the local disk, as RocksDB's files are. */
class LocalCopiesTest {
  @TempDir private Path directory;
  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  private Path local(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private void copy(boolean delete, boolean overwrite, Path source, String target)
      throws IOException {
    s3.fs.copyFromLocalFile(
        delete, overwrite, new org.apache.hadoop.fs.Path(source.toUri()), EmbeddedFs.path(target));
  }

  private String text(String key) throws IOException {
    return new String(s3.read(key), UTF_8);
  }

  @Test
  void aFileIsThereWithItsContent() throws IOException {
    copy(false, true, local("1.sst", "table"), "c/1-x.sst");
    assertThat(text("c/1-x.sst")).isEqualTo("table");
    assertThat(directory.resolve("1.sst")).exists();
  }

  /** Spark's fallback storage writes such files. */
  @Test
  void aFileOfAShuffleIsOnePut() throws IOException {
    s3.s3.resetCounts();
    copy(false, true, local("shuffle_0_5_0.data", "rows"), "f/app-1/0/9/shuffle_0_5_0.data");
    copy(false, true, local("shuffle_0_5_0.index", "0"), "f/app-1/0/9/shuffle_0_5_0.index");
    assertThat(s3.s3.counts().requests()).isEqualTo(Map.of("PutObject", 2L));
  }

  @Test
  void onlyAnOverwriteReplaces() throws IOException {
    copy(false, false, local("1.sst", "first"), "c/1.sst");
    Path second = local("2.sst", "second");
    assertThatThrownBy(() -> copy(true, false, second, "c/1.sst")).isInstanceOf(IOException.class);
    assertThat(second).exists();
    assertThat(text("c/1.sst")).isEqualTo("first");
    copy(false, true, second, "c/1.sst");
    assertThat(text("c/1.sst")).isEqualTo("second");
  }

  @Test
  void aMoveDeletesTheSource() throws IOException {
    copy(true, true, local("1.sst", "table"), "c/1.sst");
    assertThat(directory.resolve("1.sst")).doesNotExist();
    assertThat(s3.keys()).containsExactly("c/1.sst");
  }

  @Test
  void aDirectoryIsCopiedWithAllThatIsInIt() throws IOException {
    Files.createDirectories(directory.resolve("d.zip/e"));
    local("d.zip/e/1.sst", "one");
    local("d.zip/2.sst", "two");
    copy(false, true, directory.resolve("d.zip"), "c/d.zip");
    assertThat(s3.listFiles("c")).containsExactly("c/d.zip/2.sst", "c/d.zip/e/1.sst");
  }

  @Test
  void aTargetThatIsADirectoryTakesTheFileIn() throws IOException {
    s3.put("plain/f", "table.parquet/f");
    copy(false, true, local("1.sst", "one"), "plain");
    copy(false, true, local("1.parquet", "one"), "table.parquet");
    assertThat(s3.keys()).contains("plain/1.sst", "table.parquet/1.parquet");
  }

  @Test
  void aMissingSourceIsSaid() {
    assertThatThrownBy(() -> copy(false, true, directory.resolve("none.sst"), "c/1.sst"))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void nothingAppearsOfASourceThatCannotBeRead() throws IOException {
    Path broken = local("1.sst", "table");
    // Hadoop's local file system checks its own sums.
    var hadoops = org.apache.hadoop.fs.FileSystem.getLocal(s3.fs.getConf());
    try (var out = hadoops.create(new org.apache.hadoop.fs.Path(broken.toUri()), true)) {
      out.write(new byte[2000]);
    }
    Files.write(broken, new byte[] {1, 2, 3}, java.nio.file.StandardOpenOption.WRITE);
    assertThatThrownBy(() -> copy(false, true, broken, "c/1.sst")).isInstanceOf(IOException.class);
    assertThat(s3.keys()).isEmpty();
  }
}
