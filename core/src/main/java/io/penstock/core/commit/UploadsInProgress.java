/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.life.StoreAccess;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
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
 * Finds the uploads in progress under a prefix, for a user who checks or aborts them. Running jobs
 * have sent some of them, and dead jobs have left others. Nobody reads these uploads, and their
 * parts cost as much as objects.
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
   * @param created when the upload was created, by the store's clock
   * @param sizeBytes total size of its parts; empty if sizes were not requested
   * @param job that the upload belongs to; empty if neither an intent nor the key shows it
   * @param commit that the upload is part of, if any
   */
  public record InProgress(
      Upload upload,
      Instant created,
      OptionalLong sizeBytes,
      Optional<String> job,
      Optional<UnfinishedCommits.Owner> commit) {}

  /**
   * Returns the uploads, sorted by key and then by creation. Changes nothing. On a store that lists
   * whole keys, finds only uploads of exactly the key, see {@link
   * io.penstock.core.store.StoreTraits#listsUploadsByPrefix}.
   *
   * @param prefix of the keys; a prefix that ends with a slash also matches the key without the
   *     slash
   * @param withSizes whether to ask for the sizes, which takes a request for each upload
   * @param progress receives the number of sizes that are known, on threads of the pool, not
   *     necessarily in order
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
    Set<OutputTable> tables = new LinkedHashSet<>();
    for (String key : keys) {
      for (int end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
        tables.add(OutputTable.of(store.bucket(), key.substring(0, end)));
      }
      tables.add(OutputTable.of(store.bucket(), ""));
    }
    Map<Upload, UnfinishedCommits.Owner> owners = new HashMap<>();
    StoreAccess access = new StoreAccess(bucket -> store, pool, time, new UnansweredWrites(time));
    // This loop does not run in the pool, since the pages of long intents are read there.
    for (OutputTable table : tables) {
      owners.putAll(new UnfinishedCommits(access, table).owners());
    }
    return owners;
  }

  private static boolean isUnder(String prefix, String key, String found) {
    return found.startsWith(prefix) || found.equals(key);
  }

  /** Returns the size of an upload; empty if the upload has ended meanwhile. */
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
   * Aborts uploads, except those that are part of a commit by now. Continues if one cannot be
   * aborted.
   *
   * @param progress receives the number of uploads that are aborted
   * @return number of uploads that were aborted
   * @throws IOException the failure of the first upload that could not be aborted, after all others
   *     were tried
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
