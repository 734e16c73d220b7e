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
 * Finds the directories of a stretch, so that it can be divided between them. Not safe for several
 * threads.
 */
final class Survey {
  /** Another page of names pays only if the keys of their directories have so many pages. */
  private static final double WORTHWHILE_PAGES = 20;

  private final Stretch of;
  private final Stretch pages;
  private final List<String> names = new ArrayList<>();
  private boolean isComplete;
  private boolean isGivenUp;

  /**
   * @param of knows its {@linkplain Stretch#directory directory}
   */
  Survey(Stretch of) {
    this.of = of;
    this.pages = new Stretch(ListRequest.level(of.directory().orElseThrow()));
  }

  /** Returns the stretch that is to be divided. */
  Stretch of() {
    return of;
  }

  /** Returns what stands for the request for the next page of names. */
  Stretch pages() {
    return pages;
  }

  /** Takes in a page of names. */
  void add(ListPage page) {
    page.objects().stream().map(ObjectMeta::key).forEach(names::add);
    names.addAll(page.groups());
    isComplete = page.nextToken().isEmpty();
    page.nextToken().ifPresent(pages::goOn);
    isGivenUp = of.isOver() || (!isComplete && pagesLeft(ListRequest.MAX_KEYS) < WORTHWHILE_PAGES);
  }

  /** Returns true if the stretch is not to be divided after all. */
  boolean isGivenUp() {
    return isGivenUp;
  }

  /** Returns true if all names are known. */
  boolean isComplete() {
    return isComplete;
  }

  /** Returns the names that the stretch still has to list, in order. */
  List<String> left() {
    return names.stream().filter(of::isLeft).sorted(KeyOrder.INSTANCE).distinct().toList();
  }

  /** Returns the directory in which the stretch has arrived; empty if it is in none. */
  Optional<String> current() {
    return names.stream()
        .filter(name -> name.endsWith("/") && of.last().startsWith(name))
        .findAny();
  }

  /** Returns a guess of how many pages the keys of so many further names have. */
  double pagesLeft(int count) {
    double passed = Math.max(1, names.size() - left().size());
    // What few directories have says little about many others.
    return of.pagesInDirectory() / passed * Math.min(count, passed * passed);
  }
}
