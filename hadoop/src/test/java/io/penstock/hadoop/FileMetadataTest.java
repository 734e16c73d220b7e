/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files keep what S3A's create options say of them, and their attributes show it. */
class FileMetadataTest {
  private static final String OWNER = "fs.s3a.create.header.Owner";

  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  private Path written(String key, int bytes) throws IOException {
    Path path = EmbeddedFs.path(key);
    try (FSDataOutputStream out =
        (FSDataOutputStream)
            s3.fs
                .createFile(path)
                .create()
                .overwrite(true)
                .recursive()
                .must(OWNER, "team a")
                .build()) {
      out.write(new byte[bytes]);
    }
    return path;
  }

  private String owner(Path path) throws IOException {
    byte[] found = s3.fs.getXAttr(path, "header.owner");
    return found == null ? null : new String(found, UTF_8);
  }

  @Test
  void smallAndLargeFilesHaveThem() throws IOException {
    assertThat(owner(written("t/small.bin", 10))).isEqualTo("team a");
    assertThat(owner(written("t/large.bin", 20 << 20))).isEqualTo("team a");
    assertThat(owner(written("t/empty", 0))).isEqualTo("team a");
  }

  @Test
  void theyGoWithTheFile() throws IOException {
    for (int bytes : new int[] {10, 20 << 20}) {
      for (String from : List.of("t/from.bin", "t/from")) {
        Path target = EmbeddedFs.path("t/to-" + bytes + from.length());
        assertThat(s3.fs.rename(written(from, bytes), target)).isTrue();
        assertThat(owner(target)).isEqualTo("team a");
      }
    }
    written("d/a.bin", 10);
    assertThat(s3.fs.rename(EmbeddedFs.path("d"), EmbeddedFs.path("e"))).isTrue();
    assertThat(owner(EmbeddedFs.path("e/a.bin"))).isEqualTo("team a");
  }

  @Test
  void aFileThatIsAddedToKeepsThem() throws IOException {
    for (String key : List.of("t/log.txt", "t/log")) {
      Path path = written(key, 10);
      try (FSDataOutputStream out = s3.fs.append(path)) {
        out.write(1);
        out.hflush();
      }
      assertThat(owner(path)).isEqualTo("team a");
      assertThat(s3.fs.getFileStatus(path).getLen()).isEqualTo(11);
      assertThatThrownBy(() -> s3.fs.createFile(path).append().must(OWNER, "b").build())
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("keeps the metadata that it has");
    }
  }

  @Test
  void attributesAreThoseOfS3a() throws IOException {
    Path path = written("t/a.bin", 10);
    assertThat(s3.fs.listXAttrs(path))
        .containsExactly(
            "header.Content-Length", "header.ETag", "header.Last-Modified", "header.owner");
    Map<String, byte[]> some = s3.fs.getXAttrs(path, List.of("header.Content-Length", "other"));
    assertThat(some).containsOnlyKeys("header.Content-Length");
    assertThat(new String(some.get("header.Content-Length"), UTF_8)).isEqualTo("10");
    assertThat(s3.fs.getXAttr(path, "header.other")).isNull();
    assertThat(s3.fs.getXAttrs(EmbeddedFs.path("t"))).isEmpty();
    assertThatThrownBy(() -> s3.fs.getXAttrs(EmbeddedFs.path("none")))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void whatStoresDoNotKeepIsRefusedByName() {
    Path path = EmbeddedFs.path("t/a.bin");
    assertThatThrownBy(() -> s3.fs.createFile(path).must(OWNER, "größe").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("t/a.bin: the metadata 'Owner' must have a value of printable ASCII");
    assertThatThrownBy(() -> s3.fs.createFile(path).must("fs.s3a.create.other", "x").build())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
