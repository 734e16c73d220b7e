/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.time.SystemTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S3A and consoles mark a directory as {@code dir/}, EMRFS as {@code dir_$folder$}. */
class DirectoryMarkersTest {
  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"t/dir/", "t/dir_$folder$"})
  void aMarkerAloneIsAnEmptyDirectory(String marker) throws IOException {
    s3.put(marker);

    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/dir")).isDirectory()).isTrue();
    assertThat(s3.list("t/dir")).isEmpty();
    assertThat(s3.list("t")).containsExactly("dir/");
    assertThat(s3.listFiles("t")).isEmpty();
    assertThat(s3.listFiles("t/dir")).isEmpty();
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t")).isDirectory()).isTrue();
    ContentSummary summary = s3.fs.getContentSummary(EmbeddedFs.path("t"));
    assertThat(summary.getFileCount()).isZero();
    assertThat(summary.getDirectoryCount()).isEqualTo(2);
    ContentSummary own = s3.fs.getContentSummary(EmbeddedFs.path("t/dir"));
    assertThat(own.getFileCount()).isZero();
    assertThat(own.getDirectoryCount()).isEqualTo(1);
  }

  /** Cleaners such as YARN's delete directories by their age. */
  @Test
  void aDirectoryIsNeverOld() throws IOException {
    long before = SystemTime.INSTANCE.now().toEpochMilli();
    s3.put("t/dir/f");

    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t")).getModificationTime())
        .isGreaterThanOrEqualTo(before);
    assertThat(s3.fs.listStatus(EmbeddedFs.path("t"))[0].getModificationTime())
        .isGreaterThanOrEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t/dir/", "t/dir_$folder$"})
  void aMarkerBesideFilesIsNeverShown(String marker) throws IOException {
    s3.put(marker, "t/dir/f", "t/dir/sub/g");

    assertThat(s3.list("t")).containsExactly("dir/");
    assertThat(s3.list("t/dir")).containsExactly("f", "sub/");
    assertThat(s3.listFiles("t")).containsExactly("t/dir/f", "t/dir/sub/g");
    ContentSummary summary = s3.fs.getContentSummary(EmbeddedFs.path("t/dir"));
    assertThat(summary.getFileCount()).isEqualTo(2);
    assertThat(summary.getDirectoryCount()).isEqualTo(2);
    assertThat(summary.getLength()).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t/dir/", "t/dir_$folder$"})
  void aMarkedDirectoryIsDeletedWithItsMarker(String marker) throws IOException {
    s3.put(marker, "other");
    assertThat(s3.fs.delete(EmbeddedFs.path("t/dir"), false)).isTrue();
    assertThat(s3.fs.exists(EmbeddedFs.path("t/dir"))).isFalse();

    s3.put(marker, "t/dir/f");
    assertThatThrownBy(() -> s3.fs.delete(EmbeddedFs.path("t/dir"), false))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class);
    assertThat(s3.fs.delete(EmbeddedFs.path("t/dir"), true)).isTrue();
    assertThat(s3.fs.exists(EmbeddedFs.path("t/dir"))).isFalse();
    assertThat(s3.listFiles("")).containsExactly("other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"t/dir/", "t/dir_$folder$"})
  void aMarkedDirectoryIsRenamedWithWhatIsInIt(String marker) throws IOException {
    s3.put(marker, "t/dir/f", "t/dir/sub/", "t/dir/sub2_$folder$", "t/stays");

    assertThat(s3.fs.rename(EmbeddedFs.path("t/dir"), EmbeddedFs.path("t/new"))).isTrue();

    assertThat(s3.list("t")).containsExactly("new/", "stays");
    assertThat(s3.list("t/new")).containsExactly("f", "sub/", "sub2/");
    assertThat(s3.keys()).noneMatch(key -> key.startsWith("t/dir"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"t/dir/", "t/dir_$folder$"})
  void anEmptyMarkedDirectoryIsRenamed(String marker) throws IOException {
    s3.put(marker, "t/stays");
    assertThat(s3.fs.rename(EmbeddedFs.path("t/dir"), EmbeddedFs.path("t/new"))).isTrue();
    assertThat(s3.list("t")).containsExactly("new/", "stays");
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/new")).isDirectory()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"t/dir/", "t/dir_$folder$"})
  void aMarkedDirectoryIsARenamesTargetAndHasNoFile(String marker) throws IOException {
    s3.put(marker, "src.txt");
    assertThat(s3.fs.rename(EmbeddedFs.path("src.txt"), EmbeddedFs.path("t/dir"))).isTrue();
    assertThat(s3.listFiles("")).containsExactly("t/dir/src.txt");
    assertThat(s3.fs.mkdirs(EmbeddedFs.path("t/dir"))).isTrue();
  }

  @Test
  void aDirectoryMarkedInBothWaysIsListedOnce() throws IOException {
    s3.put("t/dir/", "t/dir_$folder$", "t/dir/f");
    assertThat(s3.list("t")).containsExactly("dir/");
  }

  @Test
  void aDirectoryThatLosesItsLastFileByARenameStays() throws IOException {
    s3.put("from/f.txt", "to/g.txt");
    assertThat(s3.fs.rename(EmbeddedFs.path("from/f.txt"), EmbeddedFs.path("to/f.txt"))).isTrue();
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("from")).isDirectory()).isTrue();
    assertThat(s3.list("from")).isEmpty();
  }

  @Test
  void aKeyWithADoubleSlashMakesNoDirectoryContainItself() throws IOException {
    s3.put("t//x", "t/f");
    assertThat(s3.list("t")).containsExactly("f");
  }

  @Test
  void aDirectoryIsNotOpened() throws IOException {
    s3.put("t/dir/", "t/e_$folder$");
    for (String key : new String[] {"t/dir", "t/e"}) {
      assertThatThrownBy(() -> s3.read(key)).isInstanceOf(FileNotFoundException.class);
    }
  }
}
