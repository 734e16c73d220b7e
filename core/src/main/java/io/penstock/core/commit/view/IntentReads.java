/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.recent.LruCache;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the objects of intents for readers of tables, and remembers them: an intent never changes.
 * An object that this process may not read, or cannot understand, fails no read of the table. Safe
 * for many threads.
 */
final class IntentReads {
  private static final Logger LOG = LoggerFactory.getLogger(IntentReads.class);

  /** Some of the intents may list 100,000 files that do not have the job's id in their names. */
  private static final int JOBS = 100;

  private static final int LISTS = 4;

  /** A longer list of replaced objects is read again for each listing. */
  private static final int LIST_MAX = 50_000;

  private static final int TOLD = 1000;

  private final LruCache<String, JobFiles> jobs = new LruCache<>(JOBS);
  private final LruCache<String, Replaced> lists = new LruCache<>(LISTS);
  private final LogOnce told = new LogOnce(TOLD);

  /** Returns the files of the job; empty if the intent has just been removed. */
  Optional<JobFiles> files(IntentFiles files, OutputTable table, Seen seen) throws IOException {
    Optional<JobFiles> known = jobs.get(name(table, seen));
    if (known.isPresent()) {
      return known;
    }
    return read(
        table,
        Optional.of(JobFiles.byName(seen)),
        () -> {
          Optional<Intent> intent = files.read(seen);
          // One that was copied here together with another table hides nothing.
          Optional<JobFiles> found =
              intent.isEmpty() && files.isForeign(seen)
                  ? Optional.of(JobFiles.NONE)
                  : intent.map(read -> JobFiles.of(read, table));
          found.ifPresent(job -> jobs.put(name(table, seen), job));
          return found;
        });
  }

  /** Returns what the job replaces; empty if the list has been removed, or is not there yet. */
  Optional<Replaced> replaced(IntentFiles files, OutputTable table, Seen seen) throws IOException {
    Optional<Replaced> known = lists.get(name(table, seen));
    if (known.isPresent()) {
      return known;
    }
    return read(
        table,
        Optional.of(Replaced.NOTHING),
        () -> {
          Optional<Replaced> found = files.replaced(seen.id());
          found
              .filter(list -> list.old().size() + list.inPlace().size() <= LIST_MAX)
              .ifPresent(list -> lists.put(name(table, seen), list));
          return found;
        });
  }

  private static String name(OutputTable table, Seen seen) {
    return table + seen.id();
  }

  /** A request for an object of an intent. */
  @FunctionalInterface
  private interface Request<T> {
    T send() throws IOException;
  }

  /**
   * @param otherwise what counts as read if the object cannot be
   */
  private <T> Optional<T> read(
      OutputTable table, Optional<T> otherwise, Request<Optional<T>> request) throws IOException {
    try {
      return request.send();
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      boolean isOfStore = e instanceof StoreException;
      if (isOfStore && ((StoreException) e).kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      if (told.isNew(table.toString())) {
        LOG.warn("{}: listings may show a part of a commit: {}", table, e.getMessage());
      }
      return otherwise;
    }
  }
}
