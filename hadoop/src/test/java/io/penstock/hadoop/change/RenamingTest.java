/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.hadoop.EmbeddedFs;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Renames of what this process wrote, whose source is not looked at: it may have changed since. */
class RenamingTest {
  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  private boolean rename(String source, String target) throws IOException {
    return s3.fs.rename(EmbeddedFs.path(source), EmbeddedFs.path(target));
  }

  private void anotherProcessWrites(String key, String content) throws IOException {
    s3.bucket().put(key, Body.ofBytes(content.getBytes(UTF_8)), Condition.NONE);
  }

  private String text(String key) throws IOException {
    return new String(s3.read(key), UTF_8);
  }

  @Test
  void whatIsAtTheTargetIsNeverReplaced() throws IOException {
    s3.write("t/own.txt", new byte[5]);
    anotherProcessWrites("t/there.txt", "theirs");
    assertThat(rename("t/own.txt", "t/there.txt")).isFalse();
    assertThat(text("t/there.txt")).isEqualTo("theirs");
    assertThat(s3.read("t/own.txt")).hasSize(5);
  }

  @Test
  void aTargetThatIsADirectoryTakesTheFileIn() throws IOException {
    s3.write("t/own.txt", new byte[5]);
    s3.put("u/v.parquet/f");
    assertThat(rename("t/own.txt", "u/v.parquet")).isTrue();
    assertThat(s3.keys()).contains("u/v.parquet/own.txt").doesNotContain("t/own.txt");
  }

  @Test
  void aFileThatAnotherProcessReplacedIsRenamedAsItIsNow() throws IOException {
    s3.write("t/own.txt", new byte[5]);
    anotherProcessWrites("t/own.txt", "theirs");
    assertThat(rename("t/own.txt", "t/b.txt")).isTrue();
    assertThat(text("t/b.txt")).isEqualTo("theirs");
    assertThat(s3.keys()).doesNotContain("t/own.txt");
  }

  @ParameterizedTest
  @CsvSource({"0, 5", "2000000, 2000000", "2000000, 5", "2000000, 0"})
  void aFileOfAnySizeThatAnotherProcessReplacedIsRenamedAsItIsNow(int own, int theirs)
      throws IOException {
    s3.write("t/own.bin", new byte[own]);
    anotherProcessWrites("t/own.bin", "x".repeat(theirs));
    assertThat(rename("t/own.bin", "t/b.bin")).isTrue();
    assertThat(text("t/b.bin")).isEqualTo("x".repeat(theirs));
    assertThat(s3.keys()).containsExactly("t/b.bin");
    assertThat(s3.pendingUploads()).isZero();
  }

  @Test
  void aFileThatAnotherProcessDeletedIsNotThere() throws IOException {
    s3.write("t/own.txt", new byte[5]);
    s3.bucket().delete("t/own.txt");
    assertThat(rename("t/own.txt", "t/b.txt")).isFalse();
    assertThat(s3.fs.exists(EmbeddedFs.path("t/b.txt"))).isFalse();
  }

  @Test
  void aFileThatBecameADirectoryIsRenamedAsOne() throws IOException {
    s3.write("t/own", new byte[5]);
    s3.bucket().delete("t/own");
    s3.put("t/own/inside");
    assertThat(rename("t/own", "t/b")).isTrue();
    assertThat(s3.keys()).containsExactly("t/b/inside");
  }

  @Test
  void aDirectoryStaysThoughItsLastFileIsRenamedAway() throws IOException {
    s3.write("t/from/own.txt", new byte[5]);
    assertThat(rename("t/from/own.txt", "t/b.txt")).isTrue();
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/from")).isDirectory()).isTrue();
  }

  @Test
  void aDirectoryReplacesAnEmptyOne() throws IOException {
    s3.put("t/p=2/f", "t/p=22/");
    assertThat(rename("t/p=2", "t/p=22")).isTrue();
    assertThat(s3.keys()).contains("t/p=22/f").doesNotContain("t/p=2/f", "t/p=22/p=2/f");
    s3.put("t/p=3/sub/f", "t/p=33_$folder$");
    assertThat(rename("t/p=3", "t/p=33")).isTrue();
    assertThat(s3.keys()).contains("t/p=33/sub/f").doesNotContain("t/p=3/sub/f");
  }

  @Test
  void aDirectoryMovesIntoOneThatIsNotEmpty() throws IOException {
    s3.put("t/p=2/f", "t/p=22/sub/");
    assertThat(rename("t/p=2", "t/p=22")).isTrue();
    assertThat(s3.keys()).contains("t/p=22/p=2/f", "t/p=22/sub/");
  }

  @Test
  void anEmptyDirectoryReplacesAnEmptyOne() throws IOException {
    s3.put("t/a/", "t/b/");
    assertThat(rename("t/a", "t/b")).isTrue();
    assertThat(s3.keys()).containsExactly("t/b/");
  }

  @Test
  void aFileMovesIntoAnEmptyDirectory() throws IOException {
    s3.put("t/own.txt", "u/");
    assertThat(rename("t/own.txt", "u")).isTrue();
    assertThat(s3.keys()).contains("u/own.txt");
  }

  @Test
  void noFileBecomesADirectoryByARename() throws IOException {
    s3.write("t/own.txt", new byte[5]);
    s3.put("u/file");
    assertThat(rename("t/own.txt", "u/file/below")).isFalse();
    assertThat(s3.keys()).contains("t/own.txt", "u/file").doesNotContain("u/file/below");
  }

  @Test
  void aRenameThatMayReplaceIsOneLookACopyAndADelete() throws IOException {
    FileContext context =
        FileContext.getFileContext(EmbeddedFs.path("").toUri(), EmbeddedFs.conf(s3.s3, Map.of()));
    s3.put("offsets/6");
    Path temporary = EmbeddedFs.path("offsets/.7.tmp");
    Path target = EmbeddedFs.path("offsets/7");
    for (String content : new String[] {"first", "second"}) {
      try (var out =
          context.create(temporary, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE))) {
        out.write(content.getBytes(UTF_8));
      }
      s3.s3.resetCounts();
      context.rename(temporary, target, Options.Rename.OVERWRITE);
      assertThat(s3.s3.counts().requests())
          .as(content)
          .isEqualTo(Map.of("ListObjectsV2", 1L, "CopyObject", 1L, "DeleteObject", 1L));
      assertThat(text("offsets/7")).isEqualTo(content);
    }
  }
}
