/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentFiles.Listing;
import io.penstock.core.commit.intent.IntentFiles.Seen;
import io.penstock.core.commit.view.CommittedView.Listed;
import io.penstock.core.commit.view.CommittedView.Lister;
import io.penstock.core.commit.view.CommittedView.UnreadableException;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.KeyOrder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listing of a {@link CommittedView}. */
final class WholeListing {
  private static final Logger LOG = LoggerFactory.getLogger(WholeListing.class);

  /** A listing is repeated for so long, and shows what it finds then. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration PAUSE_MIN = Duration.ofMillis(10);
  private static final Duration PAUSE_MAX = Duration.ofMillis(500);

  /**
   * A page counts as a snapshot if it was answered so soon. What the rule must not miss at a table
   * without {@code _SUCCESS} takes several requests, one after the other: five from the beginning
   * of a commit to its first file, two at its end.
   */
  private static final Duration QUICK = Duration.ofMillis(100);

  private final CommittedView view;
  private final OutputTable table;
  private final String prefix;
  private final Lister lister;
  private final IntentFiles files;

  /** The decided commits whose lists of what they replace are gone: they have deleted it all. */
  private final Set<String> ended = new HashSet<>();

  /** The intents that were listed and could not be read. */
  private final Set<String> unread = new HashSet<>();

  private Duration pause = PAUSE_MIN;

  WholeListing(CommittedView view, OutputTable table, String prefix, Lister lister) {
    this.view = view;
    this.table = table;
    this.prefix = prefix;
    this.lister = lister;
    this.files = new IntentFiles(bucket -> view.store(), table, view.pool());
  }

  Optional<List<ObjectMeta>> read() throws IOException {
    long startNanos = view.time().nowNanos();
    Optional<Look> first = view.recent(table);
    if (first.isEmpty() && view.looksFirst(table)) {
      first = Optional.of(look());
    }
    while (true) {
      long askedNanos = view.time().nowNanos();
      Optional<Listed> answer = lister.list();
      if (answer.isEmpty() || !mayBeHalf(answer.get())) {
        return answer.map(Listed::objects);
      }
      Listed listed = answer.get();
      if (isFirstPageLook(listed)) {
        Look page =
            Look.of(files.of(listed.firstPage()), listed.isOnePage() && isQuick(askedNanos));
        if (!page.isUsed() && page.isQuick()) {
          return Optional.of(listed.objects());
        }
        first = Optional.of(page);
      }
      Optional<Set<String>> replaced =
          first.isPresent() ? replaced(first.get()) : Optional.of(Set.of());
      Look after = look();
      if (after.isBare() && isConfirmed(after)) {
        return Optional.of(listed.objects());
      }
      if (first.isEmpty()) {
        view.setLooksFirst(table);
        first = Optional.of(after);
        continue;
      }
      Look before = first.get();
      if (replaced.isPresent() && before.isFollowedBy(after) && isConfirmed(after)) {
        Optional<List<ObjectMeta>> shown = shown(listed, before, after, replaced.get());
        if (shown.isPresent()) {
          return shown;
        }
      }
      if (view.time().nowNanos() - startNanos > PATIENCE.toNanos()) {
        LOG.warn(
            "{}: commits have ended during each of the listings of the last {} s, so this listing"
                + " may show a part of a commit",
            table,
            PATIENCE.toSeconds());
        return shown(listed, before, after, replaced.orElse(Set.of()))
            .or(() -> Optional.of(listed.objects()));
      }
      pause();
      first = Optional.of(after);
    }
  }

  /** Returns false if no commit can change what was listed. */
  private static boolean mayBeHalf(Listed listed) {
    boolean isNothing = listed.firstPage().isEmpty() && listed.isOnePage();
    return !isNothing && !listed.isOnlyDirectories();
  }

  /**
   * Returns true if the first page has the intents, and the store has listed them before the data.
   * Data in partitions with names in upper case is listed before them.
   */
  private boolean isFirstPageLook(Listed listed) {
    if (!prefix.equals(table.prefix())) {
      return false;
    }
    List<ObjectMeta> page = listed.firstPage();
    if (page.isEmpty()) {
      return listed.isOnePage();
    }
    String hidden = table.prefix() + "_";
    String last = page.get(page.size() - 1).key();
    boolean isHiddenFirst =
        page.stream()
            .map(ObjectMeta::key)
            .filter(key -> !key.equals(prefix)) // The directory's own object is no data.
            .findFirst()
            .filter(key -> KeyOrder.INSTANCE.compare(key, hidden) < 0)
            .isEmpty();
    return isHiddenFirst && (listed.isOnePage() || !last.startsWith(hidden));
  }

  private boolean isQuick(long askedNanos) {
    return view.time().nowNanos() - askedNanos < QUICK.toNanos();
  }

  private Look look() throws IOException {
    long askedNanos = view.time().nowNanos();
    Listing listing = readable(files::list);
    Look look = Look.of(listing, isQuick(askedNanos));
    view.setRecent(table, look, askedNanos);
    return look;
  }

  /** A request for the objects of intents. */
  @FunctionalInterface
  private interface Request<T> {
    T send() throws IOException;
  }

  private static <T> T readable(Request<T> request) throws IOException {
    try {
      return request.send();
    } catch (StoreException e) {
      throw e.kind() == Kind.ACCESS_DENIED ? new UnreadableException(e) : e;
    }
  }

  /** Reads an object of an intent. One that is damaged counts as absent, so reads do not fail. */
  private <T> Optional<T> read(Request<Optional<T>> request) throws IOException {
    try {
      return readable(request);
    } catch (StoreException | UnreadableException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      view.warnOnce(table, "listings may show a part of a commit", e);
      return Optional.empty();
    }
  }

  /**
   * Returns the keys that decided commits replace; empty if one of these commits has just deleted
   * the last of them.
   */
  private Optional<Set<String>> replaced(Look look) throws IOException {
    Set<String> keys = new HashSet<>();
    boolean isNewlyEnded = false;
    for (Seen seen : look.intents().values()) {
      if (!seen.isAlone() || !seen.isDecided() || seen.isEnded()) {
        continue;
      }
      Optional<Replaced> found = read(() -> files.replaced(seen.id()));
      if (found.isEmpty()) {
        isNewlyEnded |= ended.add(seen.id());
        continue;
      }
      // An object that was replaced in place is the job's own by now.
      for (ObjectKey old : found.get().old().keySet()) {
        if (old.bucket().equals(table.bucket()) && !found.get().inPlace().contains(old)) {
          keys.add(old.key());
        }
      }
    }
    return isNewlyEnded ? Optional.empty() : Optional.of(keys);
  }

  /**
   * Returns true if the commits that look open are, and a table without any sign of commits is. A
   * listing is no snapshot. It may show an intent just before it is removed, and then lack its
   * decision, which is removed next; or lack the decision alone, once {@code _SUCCESS} is written.
   * It may lack a {@code _SUCCESS} that is written meanwhile, and the intent of the commit that
   * writes it. One more look shows the intent gone, or the {@code _SUCCESS}.
   */
  private boolean isConfirmed(Look after) throws IOException {
    if (after.isCalm() && (!after.isBare() || after.isQuick())) {
      return true;
    }
    return look().confirms(after);
  }

  /**
   * Returns what readers may see of a listing between two looks; empty if an intent could not be
   * read because it has just been removed.
   */
  private Optional<List<ObjectMeta>> shown(
      Listed listed, Look before, Look after, Set<String> replaced) throws IOException {
    Map<String, Seen> open = new TreeMap<>();
    for (Look look : List.of(before, after)) {
      look.intents().values().stream().filter(Seen::hasPassed).forEach(s -> open.put(s.id(), s));
    }
    before.intents().values().stream().filter(Seen::isDecided).forEach(s -> open.remove(s.id()));
    boolean isMarked = before.marker().isPresent() && before.marker().equals(after.marker());
    Set<String> keys = new HashSet<>(replaced);
    List<JobFiles> jobs = new ArrayList<>();
    for (Seen seen : open.values()) {
      Optional<JobFiles> job = filesOf(seen);
      if (job.isPresent() && job.get().isMarking() && isMarked) {
        continue; // It has changed nothing yet, or it has ended and lost its decision just now.
      }
      if (job.isPresent()) {
        jobs.add(job.get());
        keys.addAll(withoutInPlace(seen, job.get()));
      } else if (unread.add(seen.id())) {
        return Optional.empty();
      }
      // Otherwise it was copied here together with another table, or is damaged.
    }
    if (keys.isEmpty() && jobs.isEmpty()) {
      return Optional.of(listed.objects());
    }
    return Optional.of(
        listed.objects().stream()
            .filter(
                object ->
                    !keys.contains(object.key())
                        && jobs.stream().noneMatch(job -> job.isOwn(object.key())))
            .toList());
  }

  private Optional<JobFiles> filesOf(Seen seen) throws IOException {
    Optional<JobFiles> known = view.jobs().get(name(seen));
    if (known.isPresent()) {
      return known;
    }
    Optional<Intent> intent = read(() -> files.read(seen));
    Optional<JobFiles> found = intent.map(read -> JobFiles.of(read, table));
    found.ifPresent(job -> view.jobs().put(name(seen), job));
    return found;
  }

  /** An intent may have been copied to another table, where it has no meaning. */
  private String name(Seen seen) {
    return table + seen.id();
  }

  /**
   * Returns the keys with fixed names that an open commit adds. One that had an object before is
   * shown: the old object may be there, and nobody can tell.
   */
  private Set<String> withoutInPlace(Seen seen, JobFiles job) throws IOException {
    if (job.others().isEmpty()) {
      return Set.of();
    }
    Set<String> keys = new HashSet<>(job.others());
    read(() -> files.replaced(seen.id()))
        .ifPresent(replaced -> replaced.inPlace().forEach(key -> keys.remove(key.key())));
    return keys;
  }

  private void pause() throws IOException {
    LOG.debug("{}: a commit has ended during the listing, so it is repeated", table);
    try {
      Cancellation.sleep(view.time(), pause, () -> false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while listing " + table);
    }
    pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
  }
}
