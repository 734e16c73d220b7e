/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.PackedFiles;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.SmallObjects;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskFiles;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Writes and reads the lists of an intent that are too long for its first object. They are stored
 * in pages.
 */
public final class IntentPages {
  /**
   * The number of files or keys in a page. Each has some 250 bytes, so a page has about a megabyte.
   */
  private static final int PAGE_SIZE = 5_000;

  /** The number of pages that are written or read at the same time. */
  private static final Parallel.Room AT_ONCE = Parallel.Room.of(32);

  private final SmallObjects objects;
  private final IntentNames names;

  IntentPages(SmallObjects objects, IntentNames names) {
    this.objects = objects;
    this.names = names;
  }

  /** Returns the number of pages that the files need; 0 if they fit into the first object. */
  static int count(List<TaskFile> files) {
    return count((long) files.size());
  }

  /** Returns the number of pages that the keys need; 0 if they fit into the first object. */
  static int count(Replaced replaced) {
    return count((long) replaced.old().size() + replaced.inPlace().size());
  }

  private static int count(long lines) {
    return lines <= PAGE_SIZE ? 0 : Math.toIntExact((lines + PAGE_SIZE - 1) / PAGE_SIZE);
  }

  void put(String id, List<TaskFile> files) throws IOException {
    forEach(
        numbers(count(files)),
        number -> {
          int start = (number - 1) * PAGE_SIZE;
          int end = Math.min(files.size(), start + PAGE_SIZE);
          put(names.files(id, number), IntentText.page(files.subList(start, end)));
        });
  }

  void put(String id, Replaced replaced) throws IOException {
    Iterator<Map.Entry<ObjectKey, Condition>> old = replaced.old().entrySet().iterator();
    Iterator<ObjectKey> inPlace = replaced.inPlace().iterator();
    record Page(int number, Replaced keys) {}
    Iterable<Page> pages =
        () ->
            IntStream.rangeClosed(1, count(replaced))
                .mapToObj(
                    number -> {
                      Map<ObjectKey, Condition> some = new LinkedHashMap<>();
                      upTo(PAGE_SIZE, old, one -> some.put(one.getKey(), one.getValue()));
                      Set<ObjectKey> more = new LinkedHashSet<>();
                      upTo(PAGE_SIZE - some.size(), inPlace, more::add);
                      return new Page(number, new Replaced(false, some, more));
                    })
                .iterator();
    forEach(pages, page -> put(names.replaces(id, page.number()), IntentText.page(page.keys())));
  }

  private static <T> void upTo(int count, Iterator<T> all, Consumer<T> taker) {
    for (int taken = 0; taken < count && all.hasNext(); taken++) {
      taker.accept(all.next());
    }
  }

  /** Reads the files from their pages. Returns empty if a page is missing. */
  Optional<PackedFiles> files(String id, int pages) throws IOException {
    byte[][] packed = new byte[pages][];
    forEach(
        numbers(pages),
        number -> {
          Optional<byte[]> page = objects.get(names.files(id, number));
          if (page.isPresent()) {
            packed[number - 1] = new TaskFiles(IntentText.filesOfPage(page.get())).toBytes();
          }
        });
    PackedFiles.Builder files = new PackedFiles.Builder();
    for (byte[] page : packed) {
      if (page == null) {
        return Optional.empty();
      }
      files.add(page);
    }
    return Optional.of(files.build());
  }

  /** Reads what the job replaces from its pages. Returns empty if a page is missing. */
  Optional<Replaced> replaced(String id, boolean hadMarker, int pages) throws IOException {
    Map<ObjectKey, Condition> old = Collections.synchronizedMap(new LinkedHashMap<>());
    Set<ObjectKey> inPlace = Collections.synchronizedSet(new LinkedHashSet<>());
    AtomicBoolean isWhole = new AtomicBoolean(true);
    forEach(
        numbers(pages),
        number -> {
          Optional<byte[]> page = objects.get(names.replaces(id, number));
          if (page.isEmpty()) {
            isWhole.set(false);
            return;
          }
          Replaced some = IntentText.replacedPage(page.get());
          old.putAll(some.old());
          inPlace.addAll(some.inPlace());
        });
    return isWhole.get() ? Optional.of(new Replaced(hadMarker, old, inPlace)) : Optional.empty();
  }

  /** Returns the keys of the files' pages. */
  List<String> keys(String id, List<TaskFile> files) {
    return numbers(count(files)).stream().map(number -> names.files(id, number)).toList();
  }

  /** Returns the keys of the pages of what the job replaces, the last page first. */
  List<String> keys(String id, Replaced replaced) {
    List<String> keys = new ArrayList<>();
    for (int number = count(replaced); number >= 1; number--) {
      keys.add(names.replaces(id, number));
    }
    return keys;
  }

  private void put(String key, byte[] page) throws IOException {
    objects.put(key, page, Condition.NONE);
  }

  private static List<Integer> numbers(int pages) {
    return IntStream.rangeClosed(1, pages).boxed().toList();
  }

  private <T> void forEach(Iterable<T> pages, Parallel.Action<T> action) throws IOException {
    objects.forEach(pages, AT_ONCE, action);
  }
}
