/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskStoreTest extends ObjectStoreContract {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));

  @TempDir Path directory;

  @Override
  protected ObjectStore openStore() throws IOException {
    return DiskStore.open(directory, "lake", time);
  }

  private void restart() throws IOException {
    store.close();
    time.advance(Duration.ofHours(1));
    store = openStore();
  }

  private long files() throws IOException {
    try (Stream<Path> listed = Files.list(directory.resolve("blobs"))) {
      return listed.count();
    }
  }

  private List<ObjectMeta> objects() throws IOException {
    return store.list(ListRequest.flat("")).objects();
  }

  @Test
  void aRestartFindsTheObjectsAsTheyWere() throws IOException {
    put("plain", content(1000));
    put("empty", new byte[0]);
    put("spaces %+ü😀", content(10));
    put("overwritten", content(1));
    put("overwritten", content(2));
    put("deleted", content(3));
    store.delete(prefix + "deleted");
    store.copy(prefix + "plain", prefix + "copy", Optional.empty());
    Upload upload = store.createUpload(prefix + "joined");
    Part first = store.uploadPart(upload, 3, Body.ofBytes(content(5 << 20)));
    Part last = store.uploadPart(upload, 7, Body.ofBytes(content(10)));
    store.completeUpload(new PendingUpload(upload, List.of(first, last)), Condition.NONE);
    List<ObjectMeta> before = objects();

    restart();

    assertThat(objects()).isEqualTo(before).hasSize(6);
    assertThat(store.get(prefix + "plain", new ByteRange(0, 1000), Optional.empty()).bytes())
        .isEqualTo(content(1000));
    assertThat(store.get(prefix + "joined", new SuffixRange(10), Optional.empty()).bytes())
        .isEqualTo(content(10));
    assertThat(files()).isEqualTo(7); // one for each object, one more for the second part
  }

  @Test
  void aRestartFindsTheMarksToo() throws IOException {
    put("plain", content(10));
    store.put(prefix + "odd", Body.empty(), Condition.IF_ABSENT.withWriteId("= %ü"));
    store.put(prefix + "marked", Body.ofBytes(content(10)), Condition.IF_ABSENT.withWriteId("a1"));

    restart();

    assertThat(store.head(prefix + "plain").writeId()).isEmpty();
    assertThat(store.head(prefix + "odd").writeId()).contains("= %ü");
    assertThat(store.head(prefix + "marked").writeId()).contains("a1");
  }

  @Test
  void anUploadInProgressEndsWithTheProcessAndItsIdIsNotUsedAgain() throws IOException {
    Upload old = store.createUpload(prefix + "object");
    Part part = store.uploadPart(old, 1, Body.ofBytes(content(10)));

    restart();
    Upload fresh = store.createUpload(prefix + "object");
    store.abortUpload(old);

    assertThat(fresh.uploadId()).isNotEqualTo(old.uploadId());
    assertThat(store.listUploads("", Optional.empty()).uploads()).hasSize(1);
    assertFails(
        Kind.NO_SUCH_UPLOAD,
        () -> store.completeUpload(new PendingUpload(old, List.of(part)), Condition.NONE));
    assertThat(files()).isZero();
  }

  @Test
  void aLastLineCutShortByACrashNeverHappened() throws IOException {
    put("whole", content(10));
    store.close();
    Files.writeString(
        directory.resolve("journal"), "P 1767225600000 0123", UTF_8, StandardOpenOption.APPEND);

    store = openStore();
    put("later", content(20));
    restart();

    assertThat(keysUnder("")).containsExactly("later", "whole");
  }

  @Test
  void anObjectWhoseBytesChangedOnDiskIsNotServed() throws IOException {
    put("good", content(10));
    put("cut", content(20));
    put("flipped", content(30));
    store.close();
    try (Stream<Path> listed = Files.list(directory.resolve("blobs"))) {
      for (Path file : listed.toList()) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length == 20) {
          Files.write(file, content(5));
        } else if (bytes.length == 30) {
          bytes[3] ^= 1;
          Files.write(file, bytes);
        }
      }
    }

    store = openStore();

    assertThat(keysUnder("")).containsExactly("good");
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void filesOfOverwrittenDeletedAndRefusedObjectsGo() throws IOException {
    put("object", content(1));
    put("object", content(2));
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store.put(prefix + "object", Body.ofBytes(content(3)), Condition.IF_ABSENT));
    Upload upload = store.createUpload(prefix + "object");
    store.uploadPart(upload, 1, Body.ofBytes(content(4)));
    store.uploadPart(upload, 1, Body.ofBytes(content(5)));
    assertThat(files()).isEqualTo(2);
    store.abortUpload(upload);
    store.delete(prefix + "object");
    assertThat(files()).isZero();
  }

  @Test
  void aDirectoryInUseIsRefused() {
    assertThatThrownBy(this::openStore)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in use");
  }

  @Test
  void aServerThatFailedToStartLeavesItsDirectoryFree(@TempDir Path kept) throws IOException {
    EmbeddedS3.Builder refused =
        EmbeddedS3.builder().directory(kept).bucket("lake").bucket("NO BUCKET");
    assertThatThrownBy(refused::start).hasMessageContaining("InvalidBucketName");

    try (EmbeddedS3 s3 = EmbeddedS3.builder().directory(kept).bucket("lake").start()) {
      assertThat(s3.store("lake").list(ListRequest.flat("")).objects()).isEmpty();
    }
  }
}
