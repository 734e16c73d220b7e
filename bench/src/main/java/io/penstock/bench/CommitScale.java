/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

import com.sun.management.OperatingSystemMXBean;
import io.penstock.core.commit.JobCommit;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.PackedFiles;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskFiles;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseThread;
import io.penstock.core.config.Settings;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.cluster.RateDriver;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Body;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Commits a job of many files, with the engine of production around a store that keeps nothing, and
 * prints what it costs the driver as one line of JSON. Arguments: {@code append}, {@code inline},
 * {@code overwrite} or {@code rollback}; files; requests a second that the store serves;
 * milliseconds that each request takes which makes a file visible.
 */
public final class CommitScale {
  private static final String JOB = "0b3d7ad8-9c39";

  /** An upload's id is as long as S3's. */
  private static final int UPLOAD_ID_LENGTH = 128;

  private static final int INLINE_BYTES = 256;

  private final String what;
  private final int files;
  private final long limit;
  private final Duration latency;
  private final BulkStore store = BulkStore.process();
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final AtomicLong heapAtHalf = new AtomicLong();

  /** The times at which the first and the last file became visible. */
  private final AtomicLong firstNanos = new AtomicLong();

  private final AtomicLong lastNanos = new AtomicLong();

  /** The CPU time that the process had used when the last file became visible. */
  private final AtomicLong cpuAtLast = new AtomicLong();

  private CommitScale(String what, int files, long limit, Duration latency) {
    this.what = what;
    this.files = files;
    this.limit = limit;
    this.latency = latency;
  }

  /** See the class. */
  public static void main(String[] args) throws IOException {
    // Classes, threads and caches are there before it counts.
    new CommitScale("append", 2_000, 1_000_000_000, Duration.ZERO).run();
    coordinate();
    System.out.println(
        new CommitScale(
                args[0],
                Integer.parseInt(args[1]),
                Long.parseLong(args[2]),
                Duration.ofMillis(Long.parseLong(args[3])))
            .run());
    System.exit(0);
  }

  /** Decides about rates as the plugin does on a driver. */
  private static void coordinate() {
    RateConfig config = RateConfig.from(Settings.of(Map.of()));
    RateDriver driver = new RateDriver(bucket -> config);
    Thread thread =
        new Thread(
            () -> {
              RateControl control = Engine.process().rates();
              while (!Thread.interrupted()) {
                long now = SystemTime.INSTANCE.nowNanos();
                control.follow(driver.exchange("driver", control.report(now), now), now);
                LockSupport.parkNanos(config.reportPeriod().toNanos());
              }
            },
            "rates");
    thread.setDaemon(true);
    thread.start();
  }

  private String run() throws IOException {
    long before = heap();
    byte[][] tasks = tasks();
    PackedFiles uploads = uploads(tasks);
    long keyBytes = 0;
    for (int i = 0; i < files; i++) {
      keyBytes += uploads.get(i).key().length();
    }
    boolean isRollback = what.equals("rollback");
    store.reset(
        limit,
        latency.toNanos(),
        what.equals("overwrite") ? files : 0,
        isRollback ? files : Long.MAX_VALUE,
        this::watch);
    long cpuBefore = system.getProcessCpuTime();
    boolean isRefused = commit(uploads);
    long cpu = system.getProcessCpuTime();
    if (isRefused != isRollback) {
      throw new IllegalStateException("the commit was refused: " + isRefused);
    }
    long gone = isRollback ? files : (what.equals("overwrite") ? files : 0);
    if (store.completed() != files || store.deleted() != gone) {
      throw new IllegalStateException(
          "completed %d, deleted %d".formatted(store.completed(), store.deleted()));
    }
    double seconds = (lastNanos.get() - firstNanos.get()) / 1e9;
    return String.format(
        Locale.ROOT,
        "{\"what\":\"%s\",\"files\":%d,\"keyBytes\":%.1f,\"heapBytes\":%.1f,\"cpuMicros\":%.1f,"
            + "\"endCpuSeconds\":%.3f,\"rate\":%.1f}",
        what,
        files,
        (double) keyBytes / files,
        (double) (heapAtHalf.get() - before) / files,
        (cpu - cpuBefore) / 1e3 / files,
        (cpu - cpuAtLast.get()) / 1e9,
        files / seconds);
  }

  private static PackedFiles uploads(byte[][] tasks) throws IOException {
    PackedFiles.Builder builder = new PackedFiles.Builder();
    for (byte[] task : tasks) {
      builder.add(task);
    }
    return builder.build();
  }

  /** Returns the messages of the job's tasks, one file in each. */
  private byte[][] tasks() {
    byte[][] tasks = new byte[files][];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < files; i++) {
      String key = BulkStore.key(JOB, i);
      TaskFile file = what.equals("inline") ? inline(key, random) : upload(key, i, random);
      tasks[i] = new TaskFiles(List.of(file)).toBytes();
    }
    return tasks;
  }

  private static TaskFile upload(String key, int number, SplittableRandom random) {
    StringBuilder id = new StringBuilder();
    while (id.length() < UPLOAD_ID_LENGTH) {
      id.append(Long.toString(random.nextLong() & Long.MAX_VALUE, Character.MAX_RADIX));
    }
    id.setLength(UPLOAD_ID_LENGTH);
    Part part = new Part(1, "%032x".formatted(number), 128 << 20);
    Upload upload = new Upload(key, id.toString());
    return new TaskUpload(BulkStore.BUCKET, new PendingUpload(upload, List.of(part)));
  }

  private static TaskFile inline(String key, SplittableRandom random) {
    byte[] content = new byte[INLINE_BYTES];
    random.nextBytes(content);
    String md5 = "%016x%016x".formatted(random.nextLong(), random.nextLong());
    return new InlineFile(
        BulkStore.BUCKET, key, INLINE_BYTES, md5, Optional.of(Body.ofBytes(content)));
  }

  private void watch(long number) {
    long now = System.nanoTime();
    firstNanos.compareAndSet(0, now);
    lastNanos.set(now);
    if (number == files / 2) {
      heapAtHalf.set(heap());
    }
    if (number >= files - 1) {
      cpuAtLast.set(system.getProcessCpuTime());
    }
  }

  private boolean commit(PackedFiles uploads) throws IOException {
    StoreStack stack =
        StoreStack.open(
            Engine.process(),
            BulkStore.BUCKET,
            Settings.of(Map.of()),
            CommitScale.class.getClassLoader());
    Means means =
        new Means(
            bucket -> stack.commitStore(),
            stack.pool(),
            SystemTime.INSTANCE,
            CommitConfig.from(stack.settings()),
            LeaseThread::start,
            Engine.process().unansweredWrites());
    Output output = Output.of(BulkStore.BUCKET, BulkStore.TABLE);
    JobCommit commit =
        new JobCommit(
            means,
            output,
            started -> new CommittingJob(JOB, "application", "user", "driver", 1, started));
    if (what.equals("overwrite")) {
      commit.replace(BulkStore.BUCKET, BulkStore.TABLE);
    }
    try {
      commit.commit(uploads, SuccessMarker.JSON);
      return false;
    } catch (IOException e) {
      return true;
    } finally {
      stack.close();
    }
  }

  /** Returns the bytes that are in use when all garbage has been collected. */
  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
