/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.heap;

import io.penstock.core.config.Settings;
import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.ReadBudget;
import io.penstock.core.read.ReadConfig;
import io.penstock.core.read.ReadPolicy;
import io.penstock.core.read.Reads;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import io.penstock.core.upload.PendingWriter;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many tasks in one JVM, at a moment when each holds as much as it ever will, with the settings'
 * defaults. Ends with an OutOfMemoryError when that is more than the heap has. The store keeps
 * nothing.
 *
 * <p>Arguments: read, array or disk; tasks; files that each task writes at once; MiB a file; the
 * directory for buffers.
 */
final class SmallHeap {
  private static final int MIB = 1 << 20;

  private final int tasks;
  private final int filesPerTask;
  private final int fileBytes;
  private final CyclicBarrier together;
  private final ExecutorService pool = Executors.newFixedThreadPool(64);
  private final ObjectStore store = new Weightless();

  private SmallHeap(int tasks, int filesPerTask, int fileBytes) {
    this.tasks = tasks;
    this.filesPerTask = filesPerTask;
    this.fileBytes = fileBytes;
    this.together = new CyclicBarrier(tasks);
  }

  public static void main(String[] arguments) throws Exception {
    SmallHeap heap =
        new SmallHeap(
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]) * MIB);
    boolean reads = arguments[0].equals("read");
    Settings settings =
        Settings.of(
                Map.of(
                    "penstock.upload.buffer.dir",
                    arguments[4],
                    "penstock.upload.buffer",
                    reads ? "disk" : arguments[0]))
            .forBucket("lake");
    if (reads) {
      Reads budget =
          new Reads(
              ReadConfig.from(settings),
              new ReadBudget(),
              TransferSpeed.ofReads(),
              SystemTime.INSTANCE,
              64);
      heap.run(() -> heap.read(budget));
    } else {
      Uploader uploader =
          new Uploader(
              heap.store, heap.pool::execute, UploadConfig.from(settings), new UploadRoom());
      heap.run(() -> heap.write(uploader));
    }
    System.exit(0);
  }

  private void run(Callable<Void> task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks);
    List<Future<Void>> running = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      running.add(threads.submit(task));
    }
    for (Future<Void> one : running) {
      one.get();
    }
  }

  /** Reads to the middle, where the ranges are largest, waits for the others, and reads on. */
  private Void read(Reads reads) throws Exception {
    ObjectReader reader =
        ObjectReader.ofKnown(
            store, "key", fileBytes, Optional.empty(), reads, ReadPolicy.SEQUENTIAL, pool);
    byte[] buffer = new byte[64 << 10];
    boolean waited = false;
    for (int at = 0; at < fileBytes; ) {
      if (at >= fileBytes / 2 && !waited) {
        waited = true;
        together.await();
      }
      at += reader.read(at, buffer, 0, buffer.length);
    }
    reader.release();
    return null;
  }

  /** Writes all files but their last bytes, waits for the others, and ends them. */
  private Void write(Uploader uploader) throws Exception {
    List<PendingWriter> writers = new ArrayList<>();
    for (int i = 0; i < filesPerTask; i++) {
      writers.add(uploader.writePending("key-" + i, "job"));
    }
    byte[] buffer = new byte[32 << 10];
    for (int at = 0; at < fileBytes; at += buffer.length) {
      for (PendingWriter writer : writers) {
        writer.write(buffer);
      }
    }
    together.await();
    for (PendingWriter writer : writers) {
      writer.close();
    }
    for (PendingWriter writer : writers) {
      writer.pending().get();
    }
    return null;
  }

  /** A store that answers any read, and takes any part, with nothing behind it. */
  private final class Weightless extends StoreWrapper {
    Weightless() {
      super(new InMemoryStore("lake", new VirtualTime(Instant.EPOCH)));
    }

    @Override
    public ObjectSlice get(String key, Range range, Optional<String> ifMatch) {
      ByteRange wanted = (ByteRange) range;
      ObjectMeta meta = new ObjectMeta(key, fileBytes, "etag", Instant.EPOCH);
      return new ObjectSlice(meta, wanted.start(), new byte[(int) wanted.lengthBytes()]);
    }

    @Override
    public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
      int number = numbers.first();
      byte[] buffer = new byte[8 << 10];
      long size = 0;
      try (InputStream in = body.open()) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          size += n;
        }
      }
      return new Part(number, "etag", size);
    }
  }
}
