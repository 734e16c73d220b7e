/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which pages of a flat listing to request at once. A listing begins as one stretch of
 * keys, whose pages are requested one after the other. When it turns out to be long, it is divided
 * into stretches that are listed at once, and may be divided again. Where a listing is divided
 * changes only its speed.
 *
 * <p>If the store lists after any name, a stretch is divided at a guessed name: it ends with the
 * name at which the next one begins. On every store, the directories of a long stretch are asked
 * for, and the stretch ends where the first of them begins that is listed by a prefix of its own.
 *
 * <p>Each division wastes up to one request, as the last page of a stretch is not full or goes
 * beyond its end. The plan keeps the waste near a tenth of the requests. Not safe for several
 * threads.
 */
final class ListingPlan {
  // Found by trials with keys of many forms, see ListingPlanTest.

  /** Earlier, a division could waste more than a tenth of the requests. */
  private static final int PAGES_MIN = 4;

  /** The most requests that may be wasted, as a part of all. */
  private static final double WASTE = 0.1;

  /** When this part of the requests was wasted, the guesses are bad, and no more are made. */
  private static final double WASTED = 0.05;

  /** A guess of more pages in all than this many times those listed so far is not trusted. */
  private static final double GROWTH = 2;

  /**
   * A guess lies this many times as far behind the last known key as that lies behind the first.
   */
  private static final double LOOK_BEYOND = 4;

  /** A stretch with less to list than this many pages is done before a division of it pays. */
  private static final double WORTHWHILE_PAGES = 1.5;

  /**
   * So many pages of a directory are listed before its directories are asked for, which takes a
   * request: a tenth.
   */
  private static final int PAGES_BEFORE_SURVEY = 10;

  /** A stretch may always be divided into so many, however little is known of their sizes. */
  private static final int PREFIXES_MIN = 2;

  private final String prefix;
  private final boolean listsAfterAnyName;
  private final int atOnceMax;
  private final long bufferedKeysMax;
  private final List<ListingShard> stretches = new ArrayList<>();
  private final Map<ListingShard, ListingProbe> surveys = new LinkedHashMap<>();
  private String first;
  private int underWay;
  private long answered;
  private double wasted;
  private boolean isDivided;
  private long bufferedKeys;
  private boolean isOrdered = true;

  /** True after a survey found what the listing should have found before it, or not in order. */
  private boolean hasDoubts;

  /**
   * @param listsAfterAnyName says of the store {@link
   *     io.penstock.core.store.StoreTraits#listsAfterAnyName}
   * @param atOnceMax the most pages to request at once; 1 divides nothing
   * @param bufferedKeysMax when this many keys wait to be taken, only the stretch whose keys are
   *     taken next is listed further
   */
  ListingPlan(String prefix, boolean listsAfterAnyName, int atOnceMax, long bufferedKeysMax) {
    this.prefix = prefix;
    this.listsAfterAnyName = listsAfterAnyName;
    this.atOnceMax = atOnceMax;
    this.bufferedKeysMax = bufferedKeysMax;
    stretches.add(new ListingShard(ListRequest.flat(prefix)));
  }

  /**
   * Returns a stretch whose next page is to be requested now. Empty if an answer must come first,
   * keys must be taken first, or nothing is left to request.
   */
  Optional<ListingShard> next() {
    if (underWay >= atOnceMax) {
      return Optional.empty();
    }
    for (int i = 0; i < stretches.size(); i++) {
      ListingShard stretch = stretches.get(i);
      if (stretch.isIdle() && (i == 0 || bufferedKeys < bufferedKeysMax)) {
        return begin(stretch);
      }
    }
    if (bufferedKeys >= bufferedKeysMax || atOnceMax == 1) {
      return Optional.empty();
    }
    Optional<ListingShard> survey =
        surveys.keySet().stream().filter(ListingShard::isIdle).findFirst();
    return survey.or(this::survey).or(this::divide).flatMap(this::begin);
  }

  private Optional<ListingShard> begin(ListingShard stretch) {
    stretch.begin();
    underWay++;
    return Optional.of(stretch);
  }

  /**
   * Notes that the request for a page has failed.
   *
   * @return false if the listing goes on without the page; otherwise it is requested again
   */
  boolean fail(ListingShard stretch) {
    stretch.ended();
    underWay--;
    if (!surveys.containsKey(stretch)) {
      return true;
    }
    surveys.remove(stretch).of().enter(Optional.empty());
    return false;
  }

  /**
   * Takes in the page that was requested for a stretch.
   *
   * @return false if the keys are not in order although the listing was divided; then some may be
   *     missing, and the listing must not go on
   */
  boolean answer(ListingShard stretch, ListPage page) {
    stretch.ended();
    underWay--;
    answered++;
    if (surveys.containsKey(stretch)) {
      answer(surveys.get(stretch), page);
      return true;
    }
    isOrdered &= stretch.isInOrder(page);
    int added = stretch.add(page);
    first = first == null ? stretch.first() : first;
    bufferedKeys += added;
    wasted += 1 - (double) added / ListRequest.MAX_KEYS;
    if (added == 0) {
      distrust(stretch);
    }
    return isOrdered || !isDivided;
  }

  /** Nothing was found where keys were guessed: the stretch before ends earlier, too. */
  private void distrust(ListingShard empty) {
    int at = stretches.indexOf(empty);
    if (at > 0) {
      stretches.get(at - 1).keepWhole();
    }
  }

  /**
   * Removes and returns the keys that come next in the listing; an empty list if they are not known
   * yet, or if no further key exists, see {@link #isDone}.
   */
  List<ObjectMeta> take() {
    while (true) {
      ListingShard first = stretches.get(0);
      List<ObjectMeta> taken = first.take();
      bufferedKeys -= taken.size();
      if (!taken.isEmpty() || !first.isOver() || stretches.size() == 1) {
        return taken;
      }
      stretches.remove(0);
    }
  }

  /** Returns the stretch whose keys {@link #take} returns next. */
  ListingShard front() {
    return stretches.get(0);
  }

  /** Returns true if all keys have been taken. */
  boolean isDone() {
    return stretches.size() == 1 && front().isOver() && front().isTaken();
  }

  private Optional<ListingShard> divide() {
    if (!listsAfterAnyName || answered < PAGES_MIN || !isOrdered || !isCheap()) {
      return Optional.empty();
    }
    ListingShard longest = null;
    double mostPages = WORTHWHILE_PAGES;
    for (ListingShard stretch : stretches) {
      double pages = stretch.end().isEmpty() ? pagesBehind(stretch) : stretch.pagesLeft();
      if (pages > mostPages) {
        longest = stretch;
        mostPages = pages;
      }
    }
    return longest == null ? Optional.empty() : divide(longest);
  }

  private Optional<ListingShard> divide(ListingShard stretch) {
    String prefix = stretch.request().prefix();
    String from = prefix.equals(this.prefix) ? first : stretch.first();
    Optional<String> name =
        stretch.end().isPresent()
            ? KeySpace.between(stretch.last(), stretch.lastName().get())
            : KeySpace.beyond(prefix, from, stretch.last(), LOOK_BEYOND)
                .or(() -> KeySpace.between(stretch.last(), prefix + KeySpace.LAST));
    if (name.isEmpty()) {
      stretch.keepWhole();
      return Optional.empty();
    }
    ListingShard behind = stretch.divideAt(name.get());
    isDivided = true;
    stretches.add(stretches.indexOf(stretch) + 1, behind);
    return Optional.of(behind);
  }

  /** Asks for the directories of the first stretch that has turned out to be long. */
  private Optional<ListingShard> survey() {
    if (!isOrdered || hasDoubts || waste() + 1 > WASTE * answered) {
      return Optional.empty();
    }
    for (ListingShard stretch : stretches) {
      boolean isLong =
          stretch.directory().filter(inside -> inside.isLongerBy(PAGES_BEFORE_SURVEY)).isPresent();
      if (isLong
          && stretch.isDivisible()
          && surveys.values().stream().noneMatch(survey -> survey.of() == stretch)) {
        ListingProbe survey = new ListingProbe(stretch);
        surveys.put(survey.request(), survey);
        return Optional.of(survey.request());
      }
    }
    return Optional.empty();
  }

  private void answer(ListingProbe survey, ListPage page) {
    wasted++;
    survey.add(page);
    if (!survey.isComplete() && survey.isWorthwhile()) {
      return;
    }
    surveys.remove(survey.request());
    if (!survey.isComplete() || survey.of().isOver()) {
      survey.of().enter(Optional.empty());
      return;
    }
    Optional<List<String>> left = survey.all();
    hasDoubts |= left.isEmpty();
    divide(survey, left.orElse(List.of()));
  }

  /** Divides a stretch between the directories that are left of it, if there are several. */
  private void divide(ListingProbe survey, List<String> left) {
    ListingShard stretch = survey.of();
    double most = WASTE * (answered + survey.pagesOf(left.size(), left.size())) - waste();
    List<String> prefixes =
        CommonPrefixes.of(left, stretch.last(), Math.max(PREFIXES_MIN, (int) most));
    int at = stretches.indexOf(stretch) + 1;
    int next = left.size();
    for (int i = prefixes.size() - 1; i >= 0; i--) {
      String prefix = prefixes.get(i);
      int from = next;
      while (from > 0 && left.get(from - 1).startsWith(prefix)) {
        from--;
      }
      double pages = survey.pagesOf(next - from, left.size());
      Directory inside = new Directory(prefix, "", pages);
      stretches.add(at, stretch.behind(ListRequest.flat(prefix), Optional.of(inside)));
      next = from;
    }
    if (!prefixes.isEmpty()) {
      stretch.endBefore(prefixes.get(0));
      isDivided = true;
    }
    // If only the present directory is left of the stretch, it can be divided as well.
    Optional<String> current = next == 0 && !hasDoubts ? survey.current() : Optional.empty();
    stretch.enter(current);
  }

  /**
   * Returns true if the waste stays small even if one more stretch gets an end, and each stretch
   * with an end wastes a whole page.
   */
  private boolean isCheap() {
    return waste() + 1 <= WASTE * pagesInAll() && wasted <= WASTED * answered;
  }

  /** Returns the waste if each stretch but the last one wastes a whole page at its end. */
  private double waste() {
    double waste = wasted;
    for (int i = 0; i < stretches.size() - 1; i++) {
      waste += stretches.get(i).isOver() ? 0 : 1;
    }
    return waste;
  }

  /** A guess: a listing that has come this far goes on as far again. */
  private double pagesInAll() {
    ListingShard last = stretches.get(stretches.size() - 1);
    return Math.min(GROWTH * answered, last.isOver() ? pagesKnown() : 2 * pagesKnown());
  }

  private double pagesKnown() {
    double pages = answered;
    for (ListingShard stretch : stretches) {
      pages += stretch.end().isPresent() ? stretch.pagesLeft() : 0;
    }
    return pages;
  }

  private double pagesBehind(ListingShard open) {
    return open.isDivisible() ? pagesKnown() : 0;
  }
}
