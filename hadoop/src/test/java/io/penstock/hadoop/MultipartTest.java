/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import org.apache.hadoop.fs.MultipartUploader;
import org.junit.jupiter.api.Test;

class MultipartTest {
  @Test
  void onlyUploadsOfThePathAndOfWhatIsBelowItAreAborted() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      try (MultipartUploader uploader =
          s3.fs.createMultipartUploader(EmbeddedFs.path("t")).build()) {
        for (String key : new String[] {"t", "t/a", "t/p=1/b", "t2/c", "t-copy/d", "tt"}) {
          uploader.startUpload(EmbeddedFs.path(key)).join();
        }
        assertThat(uploader.abortUploadsUnderPath(EmbeddedFs.path("t")).join()).isEqualTo(3);
      }
      assertThat(Keys.uploads(s3.bucket(), ""))
          .extracting(listed -> listed.upload().key())
          .containsExactlyInAnyOrder("t2/c", "t-copy/d", "tt");
    }
  }
}
