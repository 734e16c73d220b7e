/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.Condition;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.Time;
import io.penstock.emulator.s3.FileBlobs.FileBody;
import io.penstock.emulator.s3.FileBlobs.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the objects named in a journal into an empty store. Reads the bytes of each object once
 * to detect those that have changed.
 */
final class DiskRestart {
  private static final Logger LOG = LoggerFactory.getLogger(DiskRestart.class);

  private final FileBlobs files;
  private final InMemoryStore store;
  private final PinnedTime time;

  /** Returns the time of the change that is being replayed, and the real time after the replay. */
  private static final class PinnedTime implements Time {
    private final Time real;
    private volatile Instant pinned;

    PinnedTime(Time real) {
      this.real = real;
    }

    @Override
    public long nowNanos() {
      return real.nowNanos();
    }

    @Override
    public Instant now() {
      Instant then = pinned;
      return then == null ? real.now() : then;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      real.sleep(duration);
    }
  }

  DiskRestart(Journal journal, Path blobs, String bucket, Time real) throws IOException {
    List<Path> there = new ArrayList<>();
    try (Stream<Path> listed = Files.list(blobs)) {
      listed.forEach(there::add);
    }
    long highest = there.stream().mapToLong(DiskRestart::number).max().orElse(0);
    time = new PinnedTime(real);
    files = new FileBlobs(blobs, highest + 1);
    store = new InMemoryStore(bucket, time, files, Part.MIN_SIZE_BYTES);
    Set<Path> needed = new HashSet<>();
    for (Map.Entry<String, Journal.Entry> entry : journal.found().entrySet()) {
      if (restored(entry.getKey(), entry.getValue())) {
        entry.getValue().files().forEach(body -> needed.add(body.file()));
      }
    }
    time.pinned = null;
    for (Path file : there) {
      if (!needed.contains(file)) {
        Files.deleteIfExists(file); // left by an upload in progress or an uncommitted change
      }
    }
  }

  private boolean restored(String key, Journal.Entry entry) throws IOException {
    for (FileBody body : entry.files()) {
      if (!Files.isRegularFile(body.file()) || Files.size(body.file()) != body.sizeBytes()) {
        LOG.warn("s3://{}/{} is lost: {} is missing or cut", store.bucket(), key, body.file());
        return false;
      }
    }
    time.pinned = entry.lastModified();
    try (Step step = files.step()) {
      String etag = entry.etag().contains("-") ? joined(key, entry) : whole(key, entry);
      if (!etag.equals(entry.etag())) {
        LOG.warn("s3://{}/{} is lost: its bytes changed on disk", store.bucket(), key);
        store.delete(key);
        return false;
      }
      step.done();
      return true;
    }
  }

  private String whole(String key, Journal.Entry entry) throws IOException {
    // The store is empty, so IF_ABSENT always holds. A write id needs a conditional write.
    Condition condition =
        entry.writeId().map(Condition.IF_ABSENT::withWriteId).orElse(Condition.NONE);
    FileBody body = entry.files().get(0);
    return store.put(key, new FileBody(body.file(), body.sizeBytes(), entry.user()), condition);
  }

  private String joined(String key, Journal.Entry entry) throws IOException {
    Upload upload = store.createUpload(key, entry.writeId(), entry.user());
    List<Part> parts = new ArrayList<>();
    for (FileBody body : entry.files()) {
      parts.add(store.uploadPart(upload, parts.size() + 1, body));
    }
    return store.completeUpload(new PendingUpload(upload, parts), Condition.NONE);
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    return name.matches("[0-9]{1,18}") ? Long.parseLong(name) : 0;
  }

  InMemoryStore store() {
    return store;
  }

  FileBlobs files() {
    return files;
  }
}
