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

class WrappedFileSystemsTest {
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
    assertThat(WrappedFileSystems.penstockIn(ours)).containsSame(ours);
    assertThat(WrappedFileSystems.penstockIn(new FilterFileSystem(ours))).containsSame(ours);
    assertThat(WrappedFileSystems.penstockIn(new FilterFileSystem(new FilterFileSystem(ours))))
        .containsSame(ours);
  }

  @Test
  void otherFileSystemsAreNotOurs() throws IOException {
    try (LocalFileSystem local = FileSystem.getLocal(new Configuration(false))) {
      assertThat(WrappedFileSystems.penstockIn(local)).isEmpty();
    }
    assertThat(WrappedFileSystems.penstockIn(new RawLocalFileSystem())).isEmpty();
    assertThat(WrappedFileSystems.penstockIn(new Endless())).isEmpty();
  }
}
