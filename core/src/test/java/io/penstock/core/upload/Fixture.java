/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.Blobs;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.time.VirtualTime;
import io.penstock.core.upload.UploadConfig.Buffer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A store that takes parts of any size, so that ten bytes are enough for one. */
final class Fixture {
  final InMemoryStore bare =
      new InMemoryStore(
          "lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")), Blobs.onHeap(), 1);
  final FaultyStore store = new FaultyStore(bare);

  static UploadConfig parts(long partSizeBytes, int partsActive) {
    return new UploadConfig(
        partSizeBytes,
        partsActive,
        false,
        Buffer.ARRAY,
        Optional.empty(),
        1 << 30,
        1 << 30,
        Duration.ofMinutes(1));
  }

  static UploadConfig onDisk(long partSizeBytes, Path directory) {
    return new UploadConfig(
        partSizeBytes,
        4,
        false,
        Buffer.DISK,
        Optional.of(directory.toString()),
        1 << 30,
        1 << 30,
        Duration.ofMinutes(1));
  }

  /** Runs every step in the thread that asks for it. */
  Uploader uploader(long partSizeBytes) {
    return new Uploader(store, Runnable::run, parts(partSizeBytes, 4), new UploadRoom());
  }

  List<String> keys() {
    return bare.list(ListRequest.flat("")).objects().stream().map(ObjectMeta::key).toList();
  }

  List<UploadsPage.Listed> pendingUploads() {
    return bare.listUploads("", Optional.empty()).uploads();
  }

  byte[] read(String key) throws IOException {
    return bare.get(key, new SuffixRange(1 << 30), Optional.empty()).bytes();
  }

  static byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
