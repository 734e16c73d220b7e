/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.intent.Seen;
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
import java.time.Instant;
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
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * Objects that were written earlier are of no commit that runs now. Clocks may differ by a
   * quarter of an hour before S3 refuses requests.
   */
  private static final Duration OLD = Duration.ofMinutes(20);

  private static final Duration PAUSE_MIN = Duration.ofMillis(10);
  private static final Duration PAUSE_MAX = Duration.ofMillis(500);

  /**
   * A page counts as a snapshot if it was answered so soon. What the rule must not miss at a table
   * without {@code _SUCCESS} takes several requests, one after the other: four from the beginning
   * of a commit to its first file, two at its end. At one with {@code _SUCCESS} it takes five.
   */
  private static final Duration QUICK = Duration.ofMillis(100);

  private final CommittedView view;
  private final OutputTable table;
  private final String prefix;
  private final Lister lister;
  private final IntentFiles files;

  /** The decided commits whose lists of what they replace are gone: they have deleted it all. */
  private final Set<String> ended = new HashSet<>();

  private boolean isRepeated;
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
    Duration patience = view.isBusy(table) ? Duration.ZERO : PATIENCE;
    Optional<Look> first = view.recent(table);
    boolean isRoot = prefix.equals(table.prefix());
    if (first.isEmpty() && (isRoot ? view.looksFirst(table) : view.isUsed(table))) {
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
        Look page = Look.of(files.of(listed.firstPage()), isQuick(askedNanos));
        if (listed.isOnePage() && isAtRest(page, listed)) {
          return Optional.of(listed.objects());
        }
        first = Optional.of(page);
      }
      Optional<Hidden> replaced =
          first.isPresent() ? replaced(first.get()) : Optional.of(new Hidden(table.bucket()));
      Look after = look();
      boolean isUnused = after.isBare() && first.filter(look -> !look.isBare()).isEmpty();
      if (isUnused && isConfirmed(after)) {
        return Optional.of(listed.objects());
      }
      if (first.isEmpty()) {
        if (isRoot) {
          view.setLooksFirst(table);
        }
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
      if (view.time().nowNanos() - startNanos > patience.toNanos() && isRepeated) {
        view.setBusy(table);
        return shown(listed, before, after, replaced.orElseGet(() -> new Hidden(table.bucket())))
            .or(() -> Optional.of(listed.objects()));
      }
      isRepeated = true;
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

  /**
   * Returns true if a page that has all objects shows no part of a commit, since none can have
   * begun and changed something while the store made the page.
   */
  private boolean isAtRest(Look page, Listed listed) {
    if (page.isUsed()) {
      return page.intents().isEmpty() && page.isQuick() && isOld(listed);
    }
    return page.isQuick() || isOld(listed);
  }

  private boolean isOld(Listed listed) {
    Instant limit = view.time().now().minus(OLD);
    return listed.objects().stream().allMatch(object -> object.lastModified().isBefore(limit));
  }

  private Look look() throws IOException {
    long askedNanos = view.time().nowNanos();
    Listing listing;
    try {
      listing = files.list();
    } catch (StoreException e) {
      throw e.kind() == Kind.ACCESS_DENIED ? new UnreadableException(e) : e;
    }
    Look look = Look.of(listing, isQuick(askedNanos));
    view.setRecent(table, look, askedNanos);
    return look;
  }

  /**
   * Returns what decided commits replace; empty if one of these commits has just deleted the last
   * of it.
   */
  private Optional<Hidden> replaced(Look look) throws IOException {
    Hidden hidden = new Hidden(table.bucket());
    boolean isNewlyEnded = false;
    for (Seen seen : look.intents().values()) {
      if (!seen.isAlone() || !seen.isDecided() || seen.isEnded()) {
        continue;
      }
      Optional<Replaced> found = view.reads().replaced(files, table, seen);
      if (found.isPresent()) {
        hidden.addOld(seen, found.get());
      } else {
        isNewlyEnded |= ended.add(seen.id());
      }
    }
    return isNewlyEnded ? Optional.empty() : Optional.of(hidden);
  }

  /**
   * Returns true if the commits that look open are, and a table without any sign of commits is. A
   * listing is no snapshot. It may show an intent just before it is removed, and then lack its
   * decision, which is removed next; or lack the decision alone, once {@code _SUCCESS} is written.
   * It may lack a {@code _SUCCESS} that is written meanwhile, and the intent of the commit that
   * writes it, also beside an epoch, which that commit does not change. One more look shows the
   * intent gone, or the {@code _SUCCESS}.
   */
  private boolean isConfirmed(Look after) throws IOException {
    if (after.isCalm() && (after.marker().isPresent() || after.isQuick())) {
      return true;
    }
    return look().confirms(after);
  }

  /**
   * Returns what readers may see of a listing between two looks; empty if an intent has just been
   * removed and could not be read.
   *
   * @param hidden what decided commits replace
   */
  private Optional<List<ObjectMeta>> shown(Listed listed, Look before, Look after, Hidden hidden)
      throws IOException {
    Map<String, Seen> open = new TreeMap<>();
    for (Look look : List.of(before, after)) {
      look.intents().values().stream().filter(Seen::hasPassed).forEach(s -> open.put(s.id(), s));
    }
    before.intents().values().stream().filter(Seen::isDecided).forEach(s -> open.remove(s.id()));
    boolean isMarked = before.marker().isPresent() && before.marker().equals(after.marker());
    for (Seen seen : open.values()) {
      Optional<JobFiles> job = view.reads().files(files, table, seen);
      if (job.isEmpty()) {
        return Optional.empty();
      }
      if (job.get().isMarking() && isMarked) {
        continue; // It has changed nothing yet, or it has ended and lost its decision just now.
      }
      Replaced replaced =
          job.get().others().isEmpty()
              ? Replaced.NOTHING
              : view.reads().replaced(files, table, seen).orElse(Replaced.NOTHING);
      hidden.addNew(seen, job.get(), replaced);
    }
    return Optional.of(hidden.without(listed.objects()));
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
