/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;

class WrappersTest {
  private final PenstockFileSystem ours = new PenstockFileSystem();

  /** Wraps itself, as a faulty wrapper may. */
  private static final class Endless extends FilterFileSystem {
    @Override
    public FileSystem getRawFileSystem() {
      return this;
    }
  }

  @Test
  void itIsFoundBehindWrappers() {
    assertThat(PenstockFileSystem.behind(ours)).containsSame(ours);
    assertThat(PenstockFileSystem.behind(new FilterFileSystem(ours))).containsSame(ours);
    assertThat(PenstockFileSystem.behind(new FilterFileSystem(new FilterFileSystem(ours))))
        .containsSame(ours);
  }

  @Test
  void otherFileSystemsAreNotOurs() throws IOException {
    try (LocalFileSystem local = FileSystem.getLocal(new Configuration(false))) {
      assertThat(PenstockFileSystem.behind(local)).isEmpty();
    }
    assertThat(PenstockFileSystem.behind(new RawLocalFileSystem())).isEmpty();
    assertThat(PenstockFileSystem.behind(new Endless())).isEmpty();
  }
}
