/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.config.Settings;
import io.penstock.core.request.Context;
import io.penstock.core.request.Layer;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.retry.Probe;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.stack.Chain;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The chain that the requests to one bucket pass, those of Penstock's file system too. */
final class BucketChain {
  /** A signature is good for 15 minutes, of which a last wait for a permit may need ten. */
  private static final Duration RETRIES_MAX = Duration.ofMinutes(4);

  private final Engine engine;
  private final String client;
  private final Chain chain;
  private final Layer repeating;
  private final Patience patience;
  private final Room answers;

  /**
   * @param client the library whose requests these are
   * @throws UncheckedIOException when the log of requests cannot be started
   */
  BucketChain(
      Engine engine, String client, String endpoint, String bucket, Settings all, Room answers) {
    this.answers = answers;
    this.engine = engine;
    this.client = client;
    Settings settings = all.forBucket(bucket);
    try {
      engine.log(settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.patience = new Patience(engine.time());
    this.chain =
        new Chain(engine, new ThreadEnd(), engine.endpoints().of(endpoint), bucket, settings);
    this.repeating = chain.retrying(RetryConfig.from(settings).within(RETRIES_MAX), Probe.NONE);
  }

  /** Returns the context of a request that the calling thread makes. */
  Context context() {
    return Context.of(engine.callers().current());
  }

  String client() {
    return client;
  }

  Time time() {
    return engine.time();
  }

  /** Waits until no earlier write of the object may take effect that was cut here. */
  void awaitSettled(String bucket, String key) throws InterruptedIOException {
    engine.cutWrites().awaitSettled(new ObjectKey(bucket, key));
  }

  /** Returns the layers for requests that are repeated here, if that is worth it for this key. */
  Layer repeating(String key) {
    return patience.isLeft(key) ? repeating : chain.once();
  }

  /** Returns the room for content that has come and is not read yet. */
  Room answers() {
    return answers;
  }

  /** Returns what is remembered of requests that were given up. */
  Patience patience() {
    return patience;
  }

  /** Returns the layers for requests of which only one attempt can be made. */
  Layer once() {
    return chain.once();
  }
}
