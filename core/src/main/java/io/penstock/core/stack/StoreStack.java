/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import io.penstock.core.chance.WriteIds;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.KeySource;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.HadoopKeys;
import io.penstock.core.config.spark.SparkKeys;
import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.endpoint.EndpointState;
import io.penstock.core.listing.ListConfig;
import io.penstock.core.listing.Listing;
import io.penstock.core.pool.LanePool;
import io.penstock.core.pool.Lanes;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RatePolicy;
import io.penstock.core.read.PrefetchPolicy;
import io.penstock.core.read.ReadConfig;
import io.penstock.core.read.Reads;
import io.penstock.core.read.footer.FooterStore;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.retry.RetryLayer;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.StoreProbe;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Reach;
import io.penstock.core.store.StoreProvider;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.Uploader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The store of a bucket behind its {@link Chain}, and what is made of it. */
public final class StoreStack implements AutoCloseable {
  /** Spark 4 sets these for S3A in each application; they say nothing about the user. */
  private static final Map<String, String> SET_BY_SPARK =
      Map.of(
          "fs.s3a.vectored.read.min.seek.size", "128K",
          "fs.s3a.vectored.read.max.merged.size", "2M");

  private final Engine engine;
  private final EndpointState endpoint;
  private final ObjectStore store;
  private final ObjectStore commitStore;
  private final PrefetchPolicy guesses = new PrefetchPolicy();
  private final Settings settings;
  private final ReadConfig readConfig;
  private final Lanes pool;
  private final WriteIds writeIds;

  private StoreStack(
      Engine engine,
      EndpointState endpoint,
      ObjectStore store,
      ObjectStore commitStore,
      Settings settings,
      Lanes pool,
      WriteIds writeIds) {
    this.engine = engine;
    this.endpoint = endpoint;
    this.store = store;
    this.commitStore = commitStore;
    this.settings = settings;
    this.readConfig = ReadConfig.from(settings);
    this.pool = pool;
    this.writeIds = writeIds;
  }

  /**
   * Opens the bucket with the provider that is on the class path; makes no request. The caller
   * closes the result.
   *
   * @param engine the state that the store shares with the other stores of the process
   * @param all the settings of the user, not yet tied to a bucket
   * @param loader finds the provider and the modules' configuration keys
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense or is unknown
   * @throws IOException when there is no provider, or the log of requests cannot be started
   */
  public static StoreStack open(Engine engine, String bucket, Settings all, ClassLoader loader)
      throws IOException {
    all.refuseUnknown(keys(loader));
    Settings settings = all.forBucket(bucket);
    engine.log(settings);
    ObjectStore bare = engine.stores(provider(loader)).open(bucket, settings);
    EndpointState endpoint = engine.endpoints().of(bare.endpoint());
    Chain chain = new Chain(engine, new ThreadEnd(), endpoint, bucket, settings);
    ObjectStore store =
        new SettledStore(
            layered(engine, bare, chain, RetryConfig.from(settings)), engine.cutWrites());
    ObjectStore commitStore = layered(engine, bare, chain, RetryConfig.ofCommits(settings));
    Lanes lanes =
        new StoreLanes(
            engine.pool(settings),
            engine.rates(),
            engine.callers(),
            bucket,
            widest(bare, settings));
    return new StoreStack(
        engine, endpoint, store, commitStore, settings, lanes, new WriteIds(engine.chance()));
  }

  /** Returns the most requests that a commit may send at once. */
  private static int widest(ObjectStore bare, Settings settings) {
    // Under the other policies, more requests at once only make a store that throttles refuse more.
    return RateConfig.from(settings).policy() == RatePolicy.ADAPTIVE ? bare.requestsMax() : 0;
  }

  private static ObjectStore layered(
      Engine engine, ObjectStore bare, Chain chain, RetryConfig retries) {
    RetryLayer retrying = chain.retrying(retries, new StoreProbe(bare, chain.once()));
    return new LayeredStore(
        bare,
        retrying,
        retrying.ofUnseenWork(chain.withoutPermits()),
        engine.jobs()::creationLost,
        engine.time(),
        engine.chance(),
        engine.callers());
  }

  /**
   * Opens the bucket's store without layers. Each call is one attempt, so the caller can measure
   * attempts. Unlike {@link #open}, it does not refuse unknown settings. The caller closes the
   * store.
   *
   * @param engine the state that the store shares with the other stores of the process
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   * @throws IOException when there is no provider
   */
  public static ObjectStore openBare(
      Engine engine, String bucket, Settings settings, ClassLoader loader) throws IOException {
    return engine.stores(provider(loader)).open(bucket, settings.forBucket(bucket));
  }

  /**
   * Fails if settings of request rates or deadlines, each of which is valid, make no sense together
   * or for what they limit.
   *
   * @throws io.penstock.core.config.ConfigException naming the settings
   */
  public static void refuseContradictions(Settings settings) {
    var unusedRate = RateConfig.from(settings);
    var unusedDeadline = DeadlineConfig.from(settings);
  }

  /**
   * Fails if a bucket without settings of its own could not be used with these settings, each of
   * which is valid. Makes no request.
   *
   * @throws IOException when there is no provider
   * @throws io.penstock.core.config.ConfigException naming the settings
   */
  public static void refuseUnusable(Settings settings, ClassLoader loader) throws IOException {
    refuseContradictions(settings);
    // The bucket's name does not matter: nothing is sent.
    var unusedReach = reach("bucket", settings, loader);
  }

  /**
   * Returns how the bucket would be reached; empty when the store has no endpoint. The provider on
   * the class path interprets the settings. Makes no request.
   *
   * @throws IOException when there is no provider
   * @throws io.penstock.core.config.ConfigException when a setting makes no sense
   */
  public static Optional<Reach> reach(String bucket, Settings settings, ClassLoader loader)
      throws IOException {
    return provider(loader).reach(bucket, settings.forBucket(bucket));
  }

  /** Returns the state that the store shares with the other stores of the process. */
  public Engine engine() {
    return engine;
  }

  /** Returns the store behind all layers; {@link #close} closes it and {@link #commitStore}. */
  public ObjectStore store() {
    return store;
  }

  /**
   * Returns the same store with a longer limit for retries. It is for requests whose failure loses
   * the work of a whole job: the requests of a commit, a rollback or a checkpoint.
   */
  public ObjectStore commitStore() {
    return commitStore;
  }

  /**
   * Returns a new view of the store for opening files and asking for their status. Its answers may
   * come from the last seconds; see {@link FooterStore}. Not for decisions about what to write,
   * rename or delete.
   *
   * @param isWrittenOnce returns true for a key whose object is never written again
   */
  public FooterStore readView(Predicate<String> isWrittenOnce) {
    return new FooterStore(
        store,
        engine.footers(),
        isWrittenOnce,
        readConfig.rangeMinBytes(),
        () -> endpoint.readSpeed().requestBytes(engine.time().nowNanos()));
  }

  /**
   * Returns the process's thread pool. Work counts for the task of the thread that submits it, and
   * must not wait for other work of the pool.
   */
  public Lanes pool() {
    return pool;
  }

  /** Returns the executor for work that reads the key or lists the prefix. */
  public Executor readsOf(String key) {
    return pool.reads(store.bucket(), key);
  }

  /** Returns a listing of all objects whose keys start with the prefix. */
  public Listing listing(String prefix) {
    return new Listing(store, prefix, readsOf(prefix), ListConfig.from(settings));
  }

  /** Returns the settings that apply to this bucket. */
  public Settings settings() {
    return settings;
  }

  /**
   * Returns a new uploader that writes to this store.
   *
   * @throws io.penstock.core.config.ConfigException when a setting of uploads is not valid
   */
  public Uploader uploader() {
    return uploader(store, writeIds);
  }

  /**
   * Returns a new uploader that writes to a wrapper of this store.
   *
   * @param writeIds supplies an id that no other object has
   * @throws io.penstock.core.config.ConfigException when a setting of uploads is not valid
   */
  public Uploader uploader(ObjectStore wrapper, Supplier<String> writeIds) {
    return new Uploader(
        wrapper,
        pool,
        UploadConfig.from(settings),
        engine.uploadRoom(),
        writeIds,
        () -> endpoint.partSpeed().mayGainByMore(engine.time().nowNanos()));
  }

  /** Returns a supplier of unique write ids. */
  public Supplier<String> writeIds() {
    return writeIds;
  }

  public Reads reads() {
    return new Reads(
        readConfig,
        engine.reads(),
        endpoint.readSpeed(),
        guesses,
        engine.time(),
        settings.get(LanePool.THREADS));
  }

  @Override
  public void close() {
    store.close();
  }

  /** Returns every configuration key of every module that the loader finds. */
  public static List<ConfigKey<?>> keys(ClassLoader loader) {
    List<ConfigKey<?>> keys = new ArrayList<>();
    sources(loader).forEach(source -> keys.addAll(source.keys()));
    return keys;
  }

  /** Returns the S3A and EMRFS settings that the user has set and that Penstock ignores. */
  public static List<String> withoutEffect(Settings settings, ClassLoader loader) {
    List<String> foreign = new ArrayList<>();
    sources(loader).forEach(source -> foreign.addAll(source.foreignNames()));
    return Stream.concat(
            settings.withoutEffect(keys(loader), foreign).stream(),
            RateConfig.unusedOfAimd(settings).stream())
        .filter(name -> !settings.foreign(name).equals(Optional.ofNullable(SET_BY_SPARK.get(name))))
        .toList();
  }

  private static List<KeySource> sources(ClassLoader loader) {
    List<KeySource> sources = new ArrayList<>();
    sources.add(new CoreKeys());
    sources.add(new SparkKeys());
    sources.add(new HadoopKeys());
    ServiceLoader.load(StoreProvider.class, loader).forEach(sources::add);
    return sources;
  }

  private static StoreProvider provider(ClassLoader loader) throws IOException {
    return ServiceLoader.load(StoreProvider.class, loader)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "the class path has no store provider: add penstock-spark.jar, or"
                        + " penstock-s3"));
  }
}
