/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.store.KeyOrder;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which pages of a flat listing to request at once. A listing begins as one stretch of
 * keys, whose pages are requested one after the other. When it turns out to be long, it is divided
 * at a name; both stretches are then listed at once, and may be divided again. Where a listing is
 * divided changes only its speed: a stretch ends with the name at which the next one begins.
 *
 * <p>Each division wastes up to one request, as the last page of the stretch before it goes beyond
 * its end. The plan keeps the waste near a tenth of the requests. Not safe for several threads.
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

  private final String prefix;
  private final int atOnceMax;
  private final long bufferedKeysMax;
  private final List<Stretch> stretches = new ArrayList<>();
  private String first;
  private int underWay;
  private long answered;
  private double wasted;
  private boolean isDivided;
  private long bufferedKeys;
  private boolean isOrdered = true;

  /**
   * @param atOnceMax the most pages to request at once; 1 divides nothing
   * @param bufferedKeysMax when this many keys wait to be taken, only the stretch whose keys are
   *     taken next is listed further
   */
  ListingPlan(String prefix, int atOnceMax, long bufferedKeysMax) {
    this.prefix = prefix;
    this.atOnceMax = atOnceMax;
    this.bufferedKeysMax = bufferedKeysMax;
    stretches.add(new Stretch(ListRequest.flat(prefix)));
  }

  /**
   * Returns a stretch whose next page is to be requested now. Empty if an answer must come first,
   * keys must be taken first, or nothing is left to request.
   */
  Optional<Stretch> next() {
    if (underWay >= atOnceMax) {
      return Optional.empty();
    }
    for (int i = 0; i < stretches.size(); i++) {
      Stretch stretch = stretches.get(i);
      if (stretch.isIdle() && (i == 0 || bufferedKeys < bufferedKeysMax)) {
        return begin(stretch);
      }
    }
    return bufferedKeys < bufferedKeysMax && atOnceMax > 1
        ? divide().flatMap(this::begin)
        : Optional.empty();
  }

  private Optional<Stretch> begin(Stretch stretch) {
    stretch.isUnderWay = true;
    underWay++;
    return Optional.of(stretch);
  }

  /** Notes that the request for a page has failed, so that it is made again. */
  void fail(Stretch stretch) {
    stretch.isUnderWay = false;
    underWay--;
  }

  /**
   * Takes in the page that was requested for a stretch.
   *
   * @return false if the keys are not in order although the listing was divided; then some may be
   *     missing, and the listing must not go on
   */
  boolean answer(Stretch stretch, ListPage page) {
    stretch.isUnderWay = false;
    underWay--;
    answered++;
    isOrdered &= stretch.isInOrder(page);
    int added = stretch.add(page);
    first = first == null ? stretch.first : first;
    bufferedKeys += added;
    wasted += 1 - (double) added / ListRequest.MAX_KEYS;
    if (added == 0) {
      distrust(stretch);
    }
    return isOrdered || !isDivided;
  }

  /** Nothing was found where keys were guessed: the stretch before ends earlier, too. */
  private void distrust(Stretch empty) {
    int at = stretches.indexOf(empty);
    if (at > 0) {
      stretches.get(at - 1).isIndivisible = true;
    }
  }

  /**
   * Removes and returns the keys that come next in the listing; an empty list if they are not known
   * yet, or if no further key exists, see {@link #isDone}.
   */
  List<ObjectMeta> take() {
    while (true) {
      Stretch first = stretches.get(0);
      List<ObjectMeta> taken = first.take();
      bufferedKeys -= taken.size();
      if (!taken.isEmpty() || !first.isOver() || stretches.size() == 1) {
        return taken;
      }
      stretches.remove(0);
    }
  }

  /** Returns the stretch whose keys {@link #take} returns next. */
  Stretch front() {
    return stretches.get(0);
  }

  /** Returns true if all keys have been taken. */
  boolean isDone() {
    return stretches.size() == 1 && front().isOver() && front().isTaken();
  }

  private Optional<Stretch> divide() {
    if (answered < PAGES_MIN || !isOrdered || !isCheap()) {
      return Optional.empty();
    }
    Stretch longest = null;
    double mostPages = WORTHWHILE_PAGES;
    for (Stretch stretch : stretches) {
      double pages = stretch.end.isEmpty() ? pagesBehind(stretch) : stretch.pagesLeft();
      if (pages > mostPages) {
        longest = stretch;
        mostPages = pages;
      }
    }
    return longest == null ? Optional.empty() : divide(longest);
  }

  private Optional<Stretch> divide(Stretch stretch) {
    Optional<String> name =
        stretch.end.isPresent()
            ? KeySpace.between(stretch.last, stretch.end.get())
            : KeySpace.beyond(prefix, first, stretch.last, LOOK_BEYOND)
                .or(() -> KeySpace.between(stretch.last, prefix + KeySpace.LAST));
    if (name.isEmpty()) {
      stretch.isIndivisible = true;
      return Optional.empty();
    }
    Stretch behind = stretch.divideAt(name.get());
    isDivided = true;
    stretches.add(stretches.indexOf(stretch) + 1, behind);
    return Optional.of(behind);
  }

  /**
   * Returns true if the waste stays small even if one more stretch gets an end, and each stretch
   * with an end wastes a whole page.
   */
  private boolean isCheap() {
    double waste = wasted + 1;
    for (Stretch stretch : stretches) {
      waste += stretch.end.isPresent() && !stretch.isOver ? 1 : 0;
    }
    return waste <= WASTE * pagesInAll() && wasted <= WASTED * answered;
  }

  /** A guess: a listing that has come this far goes on as far again. */
  private double pagesInAll() {
    Stretch last = stretches.get(stretches.size() - 1);
    return Math.min(GROWTH * answered, last.isOver ? pagesKnown() : 2 * pagesKnown());
  }

  private double pagesKnown() {
    double pages = answered;
    for (Stretch stretch : stretches) {
      pages += stretch.end.isPresent() ? stretch.pagesLeft() : 0;
    }
    return pages;
  }

  private double pagesBehind(Stretch open) {
    return open.isDivisible() ? pagesKnown() : 0;
  }

  /** The keys behind one name, up to and including another. */
  static final class Stretch {
    private ListRequest request;

    /** The last name of the stretch; empty for the end of the listing. */
    private Optional<String> end = Optional.empty();

    private final List<ObjectMeta> keys = new ArrayList<>();
    private String first;
    private String last;
    private long pages;
    private boolean isUnderWay;
    private boolean isOver;

    /** Until its next page is known. */
    private boolean isIndivisible;

    private Stretch(ListRequest request) {
      this.request = request;
    }

    /** Returns the request for the next page. */
    ListRequest request() {
      return request;
    }

    private boolean isIdle() {
      return !isUnderWay && !isOver;
    }

    private boolean isOver() {
      return isOver;
    }

    private boolean isTaken() {
      return keys.isEmpty();
    }

    private boolean isInOrder(ListPage page) {
      String before = last == null ? request.startAfter() : last;
      for (ObjectMeta object : page.objects()) {
        if (KeyOrder.INSTANCE.compare(before, object.key()) >= 0) {
          return false;
        }
        before = object.key();
      }
      return true;
    }

    /** Returns the number of keys that belong to the stretch. */
    private int add(ListPage page) {
      pages++;
      isIndivisible = false;
      int added = 0;
      for (ObjectMeta object : page.objects()) {
        if (isBehindEnd(object.key())) {
          isOver = true;
          return added;
        }
        first = first == null ? object.key() : first;
        last = object.key();
        keys.add(object);
        added++;
      }
      isOver = page.nextToken().isEmpty();
      page.nextToken().ifPresent(token -> request = request.next(token));
      return added;
    }

    private boolean isBehindEnd(String key) {
      return end.isPresent() && KeyOrder.INSTANCE.compare(key, end.get()) > 0;
    }

    private List<ObjectMeta> take() {
      List<ObjectMeta> taken = List.copyOf(keys);
      keys.clear();
      return taken;
    }

    private boolean isDivisible() {
      return !isOver && !isIndivisible && last != null;
    }

    /** Returns a guess of how many pages are left, without the one that is under way. */
    private double pagesLeft() {
      if (!isDivisible()) {
        return 0;
      }
      double pagesLeft = pages * KeySpace.left(first, last, end.orElseThrow());
      return Math.max(0, pagesLeft - (isUnderWay ? 1 : 0));
    }

    private Stretch divideAt(String name) {
      Stretch behind = new Stretch(ListRequest.flat(request.prefix()).after(name));
      behind.end = end;
      end = Optional.of(name);
      return behind;
    }
  }
}
