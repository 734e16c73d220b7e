/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.time.Time;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.http.ExecutableHttpRequest;

/**
 * The threads of a client that create uploads, and go on with those that nobody waits for any more.
 * These hold connections of the client, so they are few and do not last long.
 */
final class Background {
  private static final int LEFT_MAX = 4;
  private static final Duration LEFT_FOR = Duration.ofSeconds(20);

  private final Time time;
  private final Semaphore left = new Semaphore(LEFT_MAX);
  private final ExecutorService threads = Executors.newCachedThreadPool(Background::thread);

  Background(Time time) {
    this.time = time;
  }

  private static Thread thread(Runnable work) {
    // Without what the creating thread would hand down, such as Spark's properties of a job.
    Thread thread = new Thread(null, work, "penstock-upload", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(Background.class.getClassLoader());
    return thread;
  }

  /** Does this soon; or never, if the client is closed, which can then send nothing. */
  void run(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException e) {
      // The client is closed.
    }
  }

  /**
   * Starts a call.
   *
   * @param work makes the request
   * @throws IllegalStateException when the client is closed
   */
  Call call(ExecutableHttpRequest request, Runnable work) {
    Call call = new Call(request, work);
    try {
      threads.execute(call);
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("the client is closed", e);
    }
    return call;
  }

  void close() {
    threads.shutdown();
  }

  /** A call, which may be left to itself. */
  final class Call implements Runnable {
    private final ExecutableHttpRequest request;
    private final Runnable work;
    private final AtomicBoolean isLeft = new AtomicBoolean();
    private volatile boolean isStarted;
    private volatile boolean isDone;

    private Call(ExecutableHttpRequest request, Runnable work) {
      this.request = request;
      this.work = work;
    }

    @Override
    public void run() {
      isStarted = true;
      if (isLeft.get()) {
        return; // Nobody wants it, and it has not been sent.
      }
      try {
        work.run();
      } finally {
        isDone = true;
      }
    }

    /** Nobody waits for it any more. It ends by itself, or after a while, or now. */
    void leave() {
      if (isDone || !isLeft.compareAndSet(false, true)) {
        return;
      }
      if (!isStarted || !left.tryAcquire()) {
        request.abort();
        return;
      }
      try {
        threads.execute(this::endInTime);
      } catch (RejectedExecutionException e) {
        left.release();
        request.abort();
      }
    }

    private void endInTime() {
      try {
        long endNanos = time.nowNanos() + LEFT_FOR.toNanos();
        while (!isDone && time.nowNanos() < endNanos) {
          time.sleep(Duration.ofMillis(100));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        left.release();
        if (!isDone) {
          request.abort();
        }
      }
    }
  }
}
