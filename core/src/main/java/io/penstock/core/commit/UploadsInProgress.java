/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Part;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.Upload;
import io.penstock.core.store.UploadsPage;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The uploads in progress under a prefix, for a person who looks at them: what jobs that are at
 * work have sent, and what dead ones have left. Nobody reads them, and their parts cost as much as
 * objects do.
 */
public final class UploadsInProgress {
  /** Spark names a job by a UUID, which is in the names of its files. */
  private static final Pattern JOB =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final ObjectStore store;
  private final Lanes pool;
  private final Time time;

  public UploadsInProgress(ObjectStore store, Lanes pool, Time time) {
    this.store = store;
    this.pool = pool;
    this.time = time;
  }

  /**
   * An upload that is neither completed nor aborted.
   *
   * @param sizeBytes of its parts; empty when it was not asked for
   * @param job that it belongs to; empty when neither an intent nor its name tells
   * @param commit that it is part of
   */
  public record InProgress(
      Upload upload,
      Instant created,
      OptionalLong sizeBytes,
      Optional<String> job,
      Optional<UnfinishedCommits.Owner> commit) {}

  /**
   * Lists them, by key; changes nothing.
   *
   * @param prefix of the keys; one that ends with a slash also stands for the key without it
   * @param withSizes whether to ask for the sizes, which takes a request each
   * @param progress told how many sizes are known
   */
  public List<InProgress> find(String prefix, boolean withSizes, LongConsumer progress)
      throws IOException {
    ConcurrentLinkedQueue<InProgress> found = new ConcurrentLinkedQueue<>();
    AtomicLong count = new AtomicLong();
    String key = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    List<UploadsPage.Listed> all =
        Keys.uploads(store, key).stream()
            .filter(listed -> isUnder(prefix, key, listed.upload().key()))
            .toList();
    Map<Upload, UnfinishedCommits.Owner> owners =
        owners(all.stream().map(listed -> listed.upload().key()).toList());
    Parallel.untilFailureIn(
        listed -> pool.reads(store.bucket(), listed.upload().key()),
        all,
        listed -> {
          Optional<OptionalLong> size =
              withSizes ? sizeOf(listed.upload()) : Optional.of(OptionalLong.empty());
          if (size.isPresent()) {
            Optional<UnfinishedCommits.Owner> owner =
                Optional.ofNullable(owners.get(listed.upload()));
            Optional<String> job =
                owner.map(one -> one.job().id()).or(() -> jobOf(listed.upload().key()));
            found.add(new InProgress(listed.upload(), listed.initiated(), size.get(), job, owner));
          }
          progress.accept(count.incrementAndGet());
        });
    return found.stream()
        .sorted(
            Comparator.comparing((InProgress one) -> one.upload().key())
                .thenComparing(InProgress::created))
        .toList();
  }

  /** Looks for intents at each directory above the keys: any of them may be a table. */
  private Map<Upload, UnfinishedCommits.Owner> owners(Collection<String> keys) throws IOException {
    Set<Table> tables = new LinkedHashSet<>();
    for (String key : keys) {
      for (int end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
        tables.add(Table.of(store.bucket(), key.substring(0, end)));
      }
      tables.add(Table.of(store.bucket(), ""));
    }
    Map<Upload, UnfinishedCommits.Owner> owners = new HashMap<>();
    // Not in the pool, in which intents of many pages are read.
    for (Table table : tables) {
      owners.putAll(new UnfinishedCommits(bucket -> store, pool, time, table).owners());
    }
    return owners;
  }

  private static boolean isUnder(String prefix, String key, String found) {
    return found.startsWith(prefix) || found.equals(key);
  }

  /** Returns nothing for an upload that has come to its end meanwhile. */
  private Optional<OptionalLong> sizeOf(Upload upload) throws IOException {
    try {
      return Optional.of(
          OptionalLong.of(Keys.parts(store, upload).stream().mapToLong(Part::sizeBytes).sum()));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_UPLOAD) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Optional<String> jobOf(String key) {
    Matcher found = JOB.matcher(key.substring(key.lastIndexOf('/') + 1));
    return found.find() ? Optional.of(found.group()) : Optional.empty();
  }

  /**
   * Aborts uploads, also after one could not be; but none that is part of a commit by now.
   *
   * @param progress told how many are aborted
   * @return how many were
   */
  public long abort(Collection<InProgress> uploads, LongConsumer progress) throws IOException {
    AtomicLong count = new AtomicLong();
    Set<Upload> owned = owners(uploads.stream().map(one -> one.upload().key()).toList()).keySet();
    Parallel.forEachIn(
        one -> pool.writes(store.bucket(), one.upload().key()),
        uploads.stream().filter(one -> !owned.contains(one.upload())).toList(),
        one -> {
          store.abortUpload(one.upload());
          progress.accept(count.incrementAndGet());
        });
    return count.get();
  }
}
