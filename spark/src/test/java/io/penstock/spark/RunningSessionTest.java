/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.hadoop.PenstockFileSystem;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

/** Looks at the plugin's work from inside a running application. */
class RunningSessionTest {
  @Test
  void aSessionSeesWhatThePluginSet() {
    assertThat(Lake.spark().conf().get("spark.sql.sources.commitProtocolClass"))
        .isEqualTo("io.penstock.spark.PenstockCommitProtocol");
    assertThat(Lake.spark().sparkContext().hadoopConfiguration().get("fs.s3.impl"))
        .isEqualTo("io.penstock.hadoop.BulkDeletingFileSystem");
  }

  @Test
  void aConfigurationWithoutSettingsReachesTheApplicationsStore() throws IOException {
    Lake.spark();
    Configuration bare = new Configuration();
    bare.set("fs.s3.impl", PenstockFileSystem.class.getName());

    try (FileSystem fs = FileSystem.newInstance(URI.create("s3://lake/"), bare)) {
      assertThat(PenstockFileSystem.behind(fs).orElseThrow().store().endpoint())
          .isEqualTo(Lake.s3().endpoint().toString());
    }
  }
}
