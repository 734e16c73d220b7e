/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import io.penstock.core.commit.DirectoryGuard;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.lease.LeaseThread;
import io.penstock.core.config.Settings;
import io.penstock.core.listing.Listing;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.net.NetUtils;

/**
 * Lists directories of one bucket that are to be deleted or renamed, at a moment at which no job
 * commits to them; see {@link DirectoryGuard}.
 */
public class CommitsBelow {
  private final StoreStack stack;
  private final Supplier<Settings> settings;

  /**
   * @param settings of all buckets
   */
  public CommitsBelow(StoreStack stack, Supplier<Settings> settings) {
    this.stack = stack;
    this.settings = settings;
  }

  /** Work with a guard. */
  private interface Guarded<T> {
    T run(DirectoryGuard guard) throws IOException;
  }

  /**
   * Lists all objects under a prefix, after the commits to them have ended.
   *
   * @param prefix empty or ending with a slash
   * @param keeps what to keep of each object
   */
  List<ObjectMeta> list(String prefix, UnaryOperator<ObjectMeta> keeps) throws IOException {
    Function<String, Listing> listings = stack::listing;
    return guarded(
        guard ->
            guard.list(
                stack.store().bucket(),
                prefix,
                action -> listings.apply(prefix).forEach(objects -> objects.forEach(action)),
                keeps));
  }

  /** Waits until no job commits to a directory that is to get the files of another one. */
  void await(String prefix) throws IOException {
    guarded(
        guard -> {
          guard.await(stack.store().bucket(), prefix);
          return null;
        });
  }

  private <T> T guarded(Guarded<T> work) throws IOException {
    Engine engine = stack.engine();
    try (Opened opened = new Opened(engine)) {
      Means means =
          new Means(
              opened::store,
              stack.pool(),
              engine.time(),
              CommitConfig.from(stack.settings()),
              LeaseThread::start,
              engine.unansweredWrites());
      return work.run(
          new DirectoryGuard(
              means,
              started ->
                  new CommittingJob(
                      "directory-" + stack.writeIds().get(),
                      CommittingJob.UNKNOWN,
                      CommittingJob.UNKNOWN,
                      NetUtils.getLocalHostname(),
                      ProcessHandle.current().pid(),
                      started)));
    }
  }

  /** The stores of this bucket, and of others to which a job of its tables has written. */
  private final class Opened implements AutoCloseable {
    private final Engine engine;
    private OpenedStores others;

    Opened(Engine engine) {
      this.engine = engine;
    }

    synchronized ObjectStore store(String bucket) throws IOException {
      if (bucket.equals(stack.store().bucket())) {
        return stack.commitStore();
      }
      if (others == null) {
        others = new OpenedStores(engine, settings.get());
      }
      return others.of(bucket).commitStore();
    }

    @Override
    public synchronized void close() {
      if (others != null) {
        others.close();
      }
    }
  }
}
