/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;

/**
 * A node on which another file system serves our schemes, as a cache or another jar may bring
 * about.
 */
class ForeignFileSystemTest {
  /** Serves s3 without being ours. */
  public static final class Other extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("s3://lake");
    }
  }

  @Test
  void aTaskFailsThereInsteadOfRenaming() {
    Configuration conf = new Configuration();
    conf.set("fs.s3.impl", Other.class.getName());
    conf.setBoolean("fs.s3.impl.disable.cache", true);
    assertThatThrownBy(() -> JobFiles.of(new Path("s3://lake/t"), conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is served by " + Other.class.getName())
        .hasMessageContaining("fs.s3.impl=io.penstock.hadoop.PenstockFileSystem");
  }

  @Test
  void aPathOfAnotherSchemeIsLeftToHadoop() throws IOException {
    assertThat(JobFiles.of(new Path("file:///tmp/t"), new Configuration())).isEmpty();
  }
}
