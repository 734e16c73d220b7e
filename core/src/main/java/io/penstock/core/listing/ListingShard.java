/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.KeyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keys that follow each other in a listing and are listed page by page: those of a prefix that are
 * behind one name and not behind another one. Not safe for several threads.
 */
final class ListingShard {
  private ListRequest request;

  /** The last name of the stretch; empty for the end of the listing. */
  private Optional<String> end = Optional.empty();

  /** True if the end belongs to the next stretch. */
  private boolean isBeforeEnd;

  private final List<ObjectMeta> keys = new ArrayList<>();
  private String first;
  private String last;
  private long pages;
  private boolean isUnderWay;
  private boolean isOver;

  /** True until the next page is known, if the stretch cannot be divided before. */
  private boolean isIndivisible;

  /** The directory of all keys that are left to list; empty if that is not known. */
  private Optional<Directory> directory;

  ListingShard(ListRequest request) {
    this.request = request;
    this.directory = Optional.of(new Directory(request.prefix(), "", 0));
  }

  /** Returns the request for the next page. */
  ListRequest request() {
    return request;
  }

  boolean isIdle() {
    return !isUnderWay && !isOver;
  }

  boolean isOver() {
    return isOver;
  }

  boolean isTaken() {
    return keys.isEmpty();
  }

  boolean isInOrder(ListPage page) {
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
  int add(ListPage page) {
    pages++;
    directory.ifPresent(Directory::addPage);
    isIndivisible = false;
    int added = 0;
    for (ObjectMeta object : page.objects()) {
      if (isBehindEnd(object.key())) {
        isOver = true;
        return added;
      }
      first = first == null ? object.key() : first;
      last = object.key();
      directory.ifPresent(inside -> inside.add(object.key()));
      keys.add(object);
      added++;
    }
    isOver = page.nextToken().isEmpty();
    page.nextToken().ifPresent(this::goOn);
    return added;
  }

  /** Returns true if the key or name belongs to a later stretch. */
  boolean isBehindEnd(String key) {
    return end.isPresent() && KeyOrder.INSTANCE.compare(key, end.get()) > (isBeforeEnd ? -1 : 0);
  }

  List<ObjectMeta> take() {
    List<ObjectMeta> taken = List.copyOf(keys);
    keys.clear();
    return taken;
  }

  boolean isDivisible() {
    return !isOver && !isIndivisible && last != null;
  }

  /** Returns a guess of how many pages are left, without the one that is under way. */
  double pagesLeft() {
    if (!isDivisible()) {
      return 0;
    }
    double pagesLeft = pages * KeySpace.left(first, last, lastName().orElseThrow());
    return Math.max(0, pagesLeft - (isUnderWay ? 1 : 0));
  }

  /** Divides the stretch at this name, which is its last one then; returns what is behind. */
  ListingShard divideAt(String name) {
    ListingShard behind = behind(ListRequest.flat(request.prefix()).after(name), Optional.empty());
    end = Optional.of(name);
    isBeforeEnd = false;
    return behind;
  }

  /** Returns a stretch that begins with this request and ends where this one does. */
  ListingShard behind(ListRequest next, Optional<Directory> inside) {
    ListingShard behind = new ListingShard(next);
    behind.directory = inside;
    behind.end = end;
    behind.isBeforeEnd = isBeforeEnd;
    return behind;
  }

  /** Ends the stretch before this name. */
  void endBefore(String name) {
    end = Optional.of(name);
    isBeforeEnd = true;
  }

  /** Sets the prefix that has all keys left to list; empty if that is not known. */
  void enter(Optional<String> prefix) {
    directory = prefix.map(found -> new Directory(found, last, 0));
  }

  /** Returns what all keys that are left to list are in; empty if that is not known. */
  Optional<Directory> directory() {
    return directory;
  }

  /** Sets the request for the next page. */
  void goOn(String token) {
    request = request.next(token);
  }

  /** Returns true if the name is inside the stretch and behind all keys that were listed. */
  boolean isLeft(String name) {
    return KeyOrder.INSTANCE.compare(name, last) > 0 && !isBehindEnd(name);
  }

  Optional<String> end() {
    return end;
  }

  /** Returns a name behind which the stretch has no keys, with the prefix of the stretch. */
  Optional<String> lastName() {
    return end.map(
        name -> name.startsWith(request.prefix()) ? name : request.prefix() + KeySpace.LAST);
  }

  /** Returns the first listed key; null if there is none yet. */
  String first() {
    return first;
  }

  /** Returns the last listed key; null if there is none yet. */
  String last() {
    return last;
  }

  void begin() {
    isUnderWay = true;
  }

  /** Notes that the request that was begun has ended. */
  void ended() {
    isUnderWay = false;
  }

  /** Lets nobody divide the stretch until its next page is known. */
  void keepWhole() {
    isIndivisible = true;
  }
}
