/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestCountTest {
  @Test
  void everyCallIsOneRequestAndOpeningAndClosingNone() throws IOException {
    try (EmbeddedS3 server = EmbeddedS3.builder().bucket("lake").start()) {
      try (ObjectStore store = open(server)) {
        assertThat(server.counts().total()).isZero();
        String etag = store.put("key", Body.ofBytes(new byte[10]), Condition.NONE);
        store.get("key", new ByteRange(0, 10), Optional.of(etag));
        store.head("key");
        store.copy("key", "other", Optional.of(etag));
        store.list(ListRequest.flat(""));
        Upload upload = store.createUpload("big");
        Part part = store.uploadPart(upload, 1, Body.ofBytes(new byte[10]));
        store.listUploads("", Optional.empty());
        store.listParts(upload, Optional.empty());
        store.completeUpload(new PendingUpload(upload, List.of(part)), Condition.IF_ABSENT);
        store.abortUpload(store.createUpload("dropped"));
        store.delete("key");
        store.deleteAll(List.of("other", "big"));
      }
      assertThat(server.counts().requests())
          .containsExactlyInAnyOrderEntriesOf(
              Map.ofEntries(
                  entry("PutObject", 1L),
                  entry("GetObject", 1L),
                  entry("HeadObject", 1L),
                  entry("CopyObject", 1L),
                  entry("ListObjectsV2", 1L),
                  entry("CreateMultipartUpload", 2L),
                  entry("UploadPart", 1L),
                  entry("ListMultipartUploads", 1L),
                  entry("ListParts", 1L),
                  entry("CompleteMultipartUpload", 1L),
                  entry("AbortMultipartUpload", 1L),
                  entry("DeleteObject", 1L),
                  entry("DeleteObjects", 1L)));
    }
  }

  @Test
  void aBucketElsewhereCostsOneRequestMoreInTheWholeProcess() throws IOException {
    try (EmbeddedS3 server =
        EmbeddedS3.builder()
            .region("ap-south-1")
            .bucket("lake")
            .credentials(io.penstock.emulator.s3.Credentials.of("any", "any-secret"))
            .start()) {
      S3Stores stores = TestStores.shared();
      try (ObjectStore store = stores.open("lake", settings(server))) {
        store.list(ListRequest.flat(""));
        assertThat(server.counts().total()).isEqualTo(2);
        store.list(ListRequest.flat(""));
        assertThat(server.counts().total()).isEqualTo(3);
      }
      try (ObjectStore again = stores.open("lake", settings(server))) {
        again.list(ListRequest.flat(""));
        assertThat(server.counts().total()).isEqualTo(4);
      }
    }
  }

  private static ObjectStore open(EmbeddedS3 server) {
    return TestStores.open("lake", settings(server));
  }

  private static Settings settings(EmbeddedS3 server) {
    return Settings.of(
        Map.of(
            "penstock.endpoint", server.endpoint().toString(),
            "penstock.access.key", "any",
            "penstock.secret.key", "any-secret"));
  }
}
