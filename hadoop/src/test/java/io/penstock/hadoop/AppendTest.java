/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.upload.InlineBudget;
import io.penstock.emulator.weather.Weather;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files to which something is added, through the file system. */
class AppendTest {
  private static final Path LOG = EmbeddedFs.path("logs/app.log");

  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
    s3.write("logs/app.log", "one\n".getBytes(UTF_8));
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  private void append(String text) throws IOException {
    try (FSDataOutputStream out = s3.fs.append(LOG)) {
      out.write(text.getBytes(UTF_8));
    }
  }

  private String content(String key) throws IOException {
    return new String(s3.read(key), UTF_8);
  }

  @Test
  void whatIsAppendedIsAtTheEnd() throws IOException {
    append("two\n");
    append("three\n");
    assertThat(content("logs/app.log")).isEqualTo("one\ntwo\nthree\n");
    assertThat(s3.fs.getFileStatus(LOG).getLen()).isEqualTo(14);
    assertThat(s3.fs.hasPathCapability(LOG, "fs.capability.paths.append")).isTrue();
  }

  @Test
  void thePositionBeginsAtTheEnd() throws IOException {
    try (FSDataOutputStream out = s3.fs.append(LOG)) {
      assertThat(out.getPos()).isEqualTo(4);
      out.write(1);
      assertThat(out.getPos()).isEqualTo(5);
    }
  }

  @Test
  void theFileCanBeRenamedAtOnce() throws IOException {
    append("two\n");
    assertThat(s3.fs.rename(LOG, EmbeddedFs.path("logs/old.log"))).isTrue();
    assertThat(content("logs/old.log")).isEqualTo("one\ntwo\n");
  }

  @Test
  void theBuilderAppends() throws IOException {
    try (FSDataOutputStream out = s3.fs.appendFile(LOG).build()) {
      out.write("two\n".getBytes(UTF_8));
    }
    assertThat(content("logs/app.log")).isEqualTo("one\ntwo\n");
  }

  @Test
  void aSecondWriterFailsByName() throws IOException {
    FSDataOutputStream late = s3.fs.append(LOG);
    late.write("lost\n".getBytes(UTF_8));
    append("two\n");
    assertThatThrownBy(late::close)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(LOG.toString())
        .hasMessageContaining("another writer has replaced or deleted the file");
    assertThat(content("logs/app.log")).isEqualTo("one\ntwo\n");
  }

  @Test
  void aFileThatWasDeletedMeanwhileDoesNotComeBack() throws IOException {
    FSDataOutputStream out = s3.fs.append(LOG);
    out.write("two\n".getBytes(UTF_8));
    s3.fs.delete(LOG, false);
    assertThatThrownBy(out::close).hasMessageContaining("replaced or deleted");
    assertThat(s3.fs.exists(LOG)).isFalse();
  }

  @Test
  void onlyAFileThatExistsIsAppendedTo() {
    assertThatThrownBy(() -> s3.fs.append(EmbeddedFs.path("logs/none.log")))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> s3.fs.append(EmbeddedFs.path("logs")))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("is a directory");
  }

  @Test
  void aStoreWithoutStrongEtagsIsRefused() {
    s3.s3.weather(Weather.CALM.withFaults("HeadObject=weak-etag"));
    assertThatThrownBy(() -> s3.fs.append(LOG))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("strong ETags");
  }

  @Test
  void theFlagsOfTheBuilderMean() throws IOException {
    Path fresh = EmbeddedFs.path("logs/new.log");
    try (FSDataOutputStream out = s3.fs.createFile(fresh).create().append().build()) {
      out.write("one\n".getBytes(UTF_8));
    }
    assertThat(content("logs/new.log")).isEqualTo("one\n");
    assertThatThrownBy(
            () ->
                s3.fs
                    .createFile(LOG)
                    .append()
                    .must("fs.option.create.conditional.overwrite.etag", "other")
                    .build())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void nothingIsAppendedToAFileOfACommit() throws IOException {
    Segment segment = new Segment("job", "0");
    s3.engine.jobs().begin(segment, InlineBudget.none());
    Path path = EmbeddedFs.path("t/__penstock_job_0/f.parquet");
    s3.fs.create(path, false).close();
    assertThatThrownBy(() -> s3.fs.append(path))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("has not committed");
    s3.engine.jobs().abort(segment);
  }
}
