/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.KeyOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the names in the directory of a stretch, so that the stretch can be divided between them.
 * Not safe for several threads.
 */
final class ListingProbe {
  /** Another page of names pays only if the keys of their directories have so many pages. */
  private static final double WORTHWHILE_PAGES = 20;

  /** More names take too much memory: about 30 MB. */
  private static final int NAMES_MAX = 200_000;

  private final ListingShard of;
  private final Directory directory;
  private final ListingShard request;
  private final List<String> objects = new ArrayList<>();
  private final List<String> groups = new ArrayList<>();
  private boolean isComplete;

  /**
   * @param of is in a directory
   */
  ListingProbe(ListingShard of) {
    this.of = of;
    this.directory = of.directory().orElseThrow();
    this.request = new ListingShard(ListRequest.level(directory.prefix()));
  }

  /** Returns the stretch that is to be divided. */
  ListingShard of() {
    return of;
  }

  /** Returns what stands for the request for the next page of names. */
  ListingShard request() {
    return request;
  }

  /** Takes in a page of names. */
  void add(ListPage page) {
    page.objects().stream().map(ObjectMeta::key).forEach(objects::add);
    groups.addAll(page.groups());
    isComplete = page.nextToken().isEmpty();
    page.nextToken().ifPresent(request::goOn);
  }

  /** Returns true if all names are known. */
  boolean isComplete() {
    return isComplete;
  }

  /** Returns true if the next page of names is worth its request. */
  boolean isWorthwhile() {
    int known = objects.size() + groups.size();
    return !of.isOver()
        && known < NAMES_MAX
        && pages(ListRequest.MAX_KEYS, known - left().size()) >= WORTHWHILE_PAGES;
  }

  /**
   * Returns the names that the stretch still has to list, in order. Empty if that is not known:
   * names are not in order, or the stretch should have listed one and has not. Then the store may
   * list in another order than that of its keys; or the name is new.
   */
  Optional<List<String>> all() {
    List<String> left = left();
    boolean isInOrder =
        isAscending(objects)
            && isAscending(groups)
            && Stream.concat(objects.stream(), groups.stream()).allMatch(this::isAccountedFor);
    return isInOrder ? Optional.of(left) : Optional.empty();
  }

  private boolean isAccountedFor(String name) {
    return of.isLeft(name) || of.isBehindEnd(name) || directory.hasPassed(name);
  }

  private static boolean isAscending(List<String> names) {
    for (int i = 1; i < names.size(); i++) {
      if (KeyOrder.INSTANCE.compare(names.get(i - 1), names.get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  private List<String> left() {
    List<String> left = new ArrayList<>();
    objects.stream().filter(of::isLeft).forEach(left::add);
    groups.stream().filter(of::isLeft).forEach(left::add);
    Collections.sort(left, KeyOrder.INSTANCE);
    return left;
  }

  /** Returns the directory in which the stretch has arrived; empty if it is in none. */
  Optional<String> current() {
    return groups.stream().filter(of.last()::startsWith).findFirst();
  }

  /**
   * Returns a guess of how many pages the keys of further names have.
   *
   * @param count the number of these names
   * @param left the number of all names that are left
   */
  double pagesOf(int count, int left) {
    return pages(count, objects.size() + groups.size() - left);
  }

  private double pages(int count, int passed) {
    double known = Math.max(1, passed);
    // What few directories have says little about many others.
    return directory.pages() / known * Math.min(count, known * known);
  }
}
