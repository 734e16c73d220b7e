/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.analyze.input.LocalSource;
import io.penstock.analyze.input.LogSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs on their way to another machine. */
class SourceRefTest {
  @TempDir Path directory;

  @Test
  void aFileIsFoundByItsWholePath() throws IOException {
    Path file = Files.writeString(directory.resolve("log"), "text");
    SourceRef sent = Bytes.read(Bytes.of(SourceRef.of(LocalSource.of(file))), SourceRef.class);

    try (WorkStores stores = new WorkStores(Map.of())) {
      LogSource found = sent.open(stores);

      assertThat(found.name()).isEqualTo(file.toString());
      assertThat(found.open(1)).hasContent("ext");
    }
  }

  @Test
  void aFileThatOnlyTheDriverHasIsNamedWithTheWayOut() throws IOException {
    Path file = Files.writeString(directory.resolve("log"), "text");
    SourceRef sent = SourceRef.of(LocalSource.of(file));
    Files.writeString(file, "another text");

    try (WorkStores stores = new WorkStores(Map.of())) {
      assertThatThrownBy(() -> sent.open(stores))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(file + " is not there on ")
          .hasMessageEndingWith("under the same path, or in a bucket.");
    }
  }
}
