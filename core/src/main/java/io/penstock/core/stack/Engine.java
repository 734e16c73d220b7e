/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import io.penstock.core.caller.Callers;
import io.penstock.core.chance.Chance;
import io.penstock.core.checkpoint.ClaimWatches;
import io.penstock.core.commit.life.CutWrites;
import io.penstock.core.commit.life.Jobs;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.config.Settings;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.endpoint.Endpoints;
import io.penstock.core.flush.FlushQueue;
import io.penstock.core.hedge.HedgePool;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.RequestLog;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.pool.LanePool;
import io.penstock.core.rate.RateControl;
import io.penstock.core.read.ReadBudget;
import io.penstock.core.read.footer.Footers;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.store.StoreProvider;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.Time;
import io.penstock.core.upload.UploadRoom;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Holds the state that all stores of a process share: time and randomness, threads, budgets,
 * knowledge about endpoints and rates, metrics, and the jobs under way. The caller that opens a
 * store passes the engine in. Only code that Hadoop, Spark or a shell starts uses {@link
 * #process()}; a test can create its own engine. Safe for many threads.
 */
public final class Engine {
  /** Limits the remembered warnings; a process warns about fewer tables and settings than this. */
  private static final int WARNINGS_MAX = 1_000;

  /** Requests whose senders do not tell their end are looked for so often. */
  private static final Duration OUTSIDE_LOOK = Duration.ofSeconds(30);

  private static final Engine PROCESS = new Engine(SystemTime.INSTANCE, Chance.ofTheMachine());

  private final Time time;
  private final SplittableRandom chance;
  private final StoreMetrics metrics = new StoreMetrics();
  private final RequestEvents events = new RequestEvents();
  private final FlushQueue flushes;
  private final Callers callers = new Callers();
  private final RateControl rates = new RateControl();
  private final Endpoints endpoints = new Endpoints();
  private final ReadBudget reads = new ReadBudget();
  private final Footers footers;
  private final UploadRoom uploadRoom = new UploadRoom();
  private final Jobs jobs = new Jobs();
  private final UnansweredWrites unansweredWrites;
  private final CutWrites cutWrites;
  private final ClaimWatches claims = new ClaimWatches();
  private final LogOnce warnings = new LogOnce(WARNINGS_MAX);
  private final Map<String, OutsideRequests> outside = new ConcurrentHashMap<>();
  private final AtomicLong outsideLookedNanos;
  private final Map<Class<?>, StoreProvider.Stores> stores = new HashMap<>();
  private final Executor secondAttempts;
  private volatile Optional<Settings> application = Optional.empty();
  private LanePool pool;
  private Watchdog watch;
  private RequestLog log;

  /**
   * Creates an engine that shares nothing with other engines.
   *
   * @param chance the source of all jitter and write ids; the caller must not use it any more
   */
  public Engine(Time time, SplittableRandom chance) {
    this(time, chance, HedgePool.create(), null);
  }

  /**
   * Creates an engine for a simulation, whose requests under way are watched when the simulation
   * says so.
   *
   * @param secondAttempts runs attempts beside slow ones
   * @param watch ticked by the caller, in the engine's time
   */
  public Engine(Time time, SplittableRandom chance, Executor secondAttempts, Watchdog watch) {
    this.time = time;
    this.outsideLookedNanos = new AtomicLong(time.nowNanos());
    this.secondAttempts = secondAttempts;
    this.watch = watch;
    this.chance = chance;
    this.footers = new Footers(time);
    this.flushes = new FlushQueue(time);
    this.unansweredWrites = new UnansweredWrites(time);
    this.cutWrites = new CutWrites(time);
  }

  /** Returns the engine of this process. */
  public static Engine process() {
    return PROCESS;
  }

  public Time time() {
    return time;
  }

  /** Returns a new source of randomness that only the caller uses. */
  public synchronized SplittableRandom chance() {
    return chance.split();
  }

  public StoreMetrics metrics() {
    return metrics;
  }

  /** Returns the events that report every attempt and every wait to their listeners. */
  public RequestEvents events() {
    return events;
  }

  /** Returns what says on whose behalf a thread makes requests. */
  public Callers callers() {
    return callers;
  }

  /** Returns what shows readers the files that are flushed while they are written. */
  public FlushQueue flushes() {
    return flushes;
  }

  public RateControl rates() {
    return rates;
  }

  public Endpoints endpoints() {
    return endpoints;
  }

  /** Returns the budget of bytes that reads may hold. */
  public ReadBudget reads() {
    return reads;
  }

  /** Returns the last bytes of data files that were read lately. */
  Footers footers() {
    return footers;
  }

  /** Returns the budget of memory and disk that uploads may hold. */
  public UploadRoom uploadRoom() {
    return uploadRoom;
  }

  /** Returns the register of this process's jobs: their attempts, uploads, commits and ends. */
  public Jobs jobs() {
    return jobs;
  }

  /** Returns the PUTs of this process that may still take effect. */
  public UnansweredWrites unansweredWrites() {
    return unansweredWrites;
  }

  /** Returns the writes that were cut here and may still take effect. */
  public CutWrites cutWrites() {
    return cutWrites;
  }

  /** Returns the streaming runs of this process that have claimed their checkpoints. */
  public ClaimWatches claims() {
    return claims;
  }

  /** Returns the record of warnings given so far; each warning is logged once. */
  public LogOnce warnings() {
    return warnings;
  }

  /**
   * Returns the settings of the application that this process runs. A file system that is opened
   * with a configuration in which nothing is set uses them.
   */
  public Optional<Settings> applicationSettings() {
    return application;
  }

  /** Sets {@link #applicationSettings}; empty when the application has ended. */
  public void applicationSettings(Optional<Settings> settings) {
    application = settings;
  }

  /**
   * Returns the requests to a bucket that other clients of this process send.
   *
   * @param settings of rate control, if no store of the bucket has others; asked for once
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   */
  public OutsideRequests outside(String bucket, Supplier<Settings> settings) {
    long now = time.nowNanos();
    long looked = outsideLookedNanos.get();
    if (now - looked > OUTSIDE_LOOK.toNanos() && outsideLookedNanos.compareAndSet(looked, now)) {
      outside.values().forEach(OutsideRequests::endOld);
    }
    return outside.computeIfAbsent(
        bucket, name -> new OutsideRequests(this, name, settings.get().forBucket(name)));
  }

  /** Returns the provider's set of stores in this engine; the first call creates it. */
  synchronized StoreProvider.Stores stores(StoreProvider provider) {
    return stores.computeIfAbsent(provider.getClass(), type -> provider.stores(time, chance()));
  }

  /** Returns the executor that runs second attempts. */
  Executor secondAttempts() {
    return secondAttempts;
  }

  /**
   * Returns the thread pool for requests. The settings of the first call decide its size.
   *
   * @throws io.penstock.core.config.ConfigException when that setting is not valid
   */
  public synchronized LanePool pool(Settings settings) {
    if (pool == null) {
      pool = new LanePool(settings);
    }
    return pool;
  }

  /** Returns the watchdog for requests under way. The first call starts its thread. */
  synchronized Watchdog watch() {
    if (watch == null) {
      watch = Watchdog.started(time);
    }
    return watch;
  }

  /** Starts the log of all requests if the settings ask for one and it is not started yet. */
  public synchronized void log(Settings settings) throws IOException {
    Optional<String> directory = settings.get(RequestLog.DIRECTORY);
    if (directory.isPresent() && log == null) {
      log = RequestLog.start(directory.get(), time.now(), events);
    }
  }
}
