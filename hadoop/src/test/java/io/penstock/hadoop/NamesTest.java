/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.hadoop.tree.Paths;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that are hard on URLs, XML, signatures and listings, and keys of odd shapes. */
class NamesTest {
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
  @ValueSource(
      strings = {
        "with space",
        " leading and trailing ",
        "100%",
        "%2F",
        "a%20b",
        "a+b",
        "q?x=1&y=2",
        "hash#tag",
        "ünïcödé",
        "語",
        "😀",
        "a=b,c;d@e",
        "day=2026-11-20 10%3A00%3A00",
        "quote\"<&>'",
        "tilde~(x)!*",
        "semi;colon",
        "[brackets]{braces}|^",
        "dot.",
        "..dots",
        "colon:name",
      })
  void aNameIsKeptAsItIsByEveryOperation(String name) throws IOException {
    byte[] content = name.getBytes(UTF_8);
    s3.write("t/" + name, content);
    assertThat(s3.keys()).containsExactly("t/" + name);

    Path path = EmbeddedFs.path("t/" + name);
    FileStatus status = s3.fs.getFileStatus(path);
    assertThat(status.getLen()).isEqualTo(content.length);
    assertThat(status.getPath()).isEqualTo(path);
    assertThat(s3.read("t/" + name)).isEqualTo(content);
    assertThat(s3.list("t")).containsExactly(name);
    assertThat(s3.listFiles("t")).containsExactly("t/" + name);

    assertThat(s3.fs.rename(path, EmbeddedFs.path("u/" + name + "/" + name))).isTrue();
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("u/" + name)).isDirectory()).isTrue();
    assertThat(s3.list("u")).containsExactly(name + "/");
    assertThat(s3.read("u/" + name + "/" + name)).isEqualTo(content);
    assertThat(s3.fs.delete(EmbeddedFs.path("u"), true)).isTrue();
    assertThat(s3.listFiles("")).isEmpty();
  }

  @Test
  void aKeyOf1024BytesIsWrittenListedAndRead() throws IOException {
    String key = ("k".repeat(199) + "/").repeat(5) + "e".repeat(20) + ".bin";
    assertThat(key.getBytes(UTF_8)).hasSize(1024);
    s3.write(key, new byte[7]);
    assertThat(s3.listFiles("")).containsExactly(key);
    assertThat(s3.read(key)).hasSize(7);
    assertThat(s3.fs.delete(EmbeddedFs.path(key), false)).isTrue();
  }

  @Test
  void aKeyOfMoreThan1024BytesIsAClearErrorAndNothingIsWritten() throws IOException {
    String key = ("k".repeat(199) + "/").repeat(5) + "ü".repeat(20) + ".bin";
    assertThatThrownBy(() -> s3.write(key, new byte[7]))
        .isInstanceOf(PathIOException.class)
        .hasMessageContaining("PUT s3://lake/kkk")
        .hasMessageContaining("a key has 1 to 1024 bytes, but this one has 1044");
    assertThat(s3.keys()).isEmpty();
  }

  @Test
  void aKeyThatIsAPrefixOfAnotherIsAFileOfItsOwn() throws IOException {
    s3.put("t/a", "t/a/b", "t/ab", "t/a-1", "t/a!");
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/a")).isFile()).isTrue();
    assertThat(s3.read("t/a")).hasSize(3);
    assertThat(s3.read("t/a/b")).hasSize(3);
    assertThat(s3.listFiles("t")).containsExactly("t/a", "t/a!", "t/a-1", "t/a/b", "t/ab");
    assertThat(s3.fs.exists(EmbeddedFs.path("t/a/"))).isTrue();
  }

  @Test
  void aDirectoryIsFoundBehindManyNamesThatSortBeforeIt() throws IOException {
    for (int i = 0; i < 120; i++) {
      s3.put("t/x-%03d".formatted(i));
    }
    assertThat(s3.fs.exists(EmbeddedFs.path("t/x"))).isFalse();
    s3.put("t/x/f");
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/x")).isDirectory()).isTrue();
  }

  @Test
  void anEmptyFileIsAFile() throws IOException {
    s3.write("t/empty.txt", new byte[0]);
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/empty.txt")).getLen()).isZero();
    assertThat(s3.fs.getFileStatus(EmbeddedFs.path("t/empty.txt")).isFile()).isTrue();
    assertThat(s3.read("t/empty.txt")).isEmpty();
    try (FSDataInputStream in = s3.fs.open(EmbeddedFs.path("t/empty.txt"))) {
      assertThat(in.read()).isEqualTo(-1);
    }
    assertThat(s3.listFiles("t")).containsExactly("t/empty.txt");
  }

  @Test
  void aDeepTreeIsImpliedByOneKey() throws IOException {
    String deep = String.join("/", java.util.Collections.nCopies(200, "d"));
    s3.write(deep + "/f.txt", new byte[1]);
    for (String above = deep; above.contains("/"); above = Paths.parent(above)) {
      assertThat(s3.fs.getFileStatus(EmbeddedFs.path(above)).isDirectory()).isTrue();
    }
    assertThat(s3.fs.getContentSummary(EmbeddedFs.path("d")).getDirectoryCount()).isEqualTo(200);
    assertThat(s3.fs.delete(EmbeddedFs.path("d"), true)).isTrue();
    assertThat(s3.fs.exists(EmbeddedFs.path("d"))).isFalse();
  }

  @Test
  void aFileOfSeveralPartsIsReadAsItWasWritten() throws IOException {
    byte[] content = new byte[(12 << 20) + 345];
    new java.util.Random(1).nextBytes(content);
    try (EmbeddedFs small =
        new EmbeddedFs(
            io.penstock.emulator.s3.EmbeddedS3.builder().bucket("lake").start(),
            java.util.Map.of("penstock.upload.part.size", "5M"))) {
      small.write("t/f.bin", content);
      assertThat(Arrays.equals(small.read("t/f.bin"), content)).isTrue();
      assertThat(small.s3.counts().of("UploadPart")).isEqualTo(3);
    }
  }
}
