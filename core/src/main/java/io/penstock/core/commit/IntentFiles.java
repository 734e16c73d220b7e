/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The intents at one table. Each object of an intent ({@link IntentNames}) is written once and
 * never changed. Only the lease, an empty object, is written repeatedly.
 */
final class IntentFiles {
  private final SmallObjects objects;
  private final IntentNames names;
  private final IntentPages pages;

  IntentFiles(Stores stores, Table table, Lanes pool) {
    this.objects = new SmallObjects(stores, table, pool);
    this.names = new IntentNames(table);
    this.pages = new IntentPages(objects, names);
  }

  /**
   * The part of an intent that a listing shows.
   *
   * @param isDecided whether a decision about the commit has been made
   * @param touched time at which the newest of the intent's objects was written, by the store's
   *     clock
   * @param renewed like {@code touched}, but without the decision: another process may have written
   *     that
   */
  record Seen(String id, boolean isAlone, boolean isDecided, Instant touched, Instant renewed) {
    /**
     * Returns a copy whose {@code renewed} is the given time. The caller read that time earlier: if
     * the lease has been renewed since, the job is alive.
     */
    Seen knownSince(Instant watched) {
      return new Seen(id, isAlone, isDecided, touched, watched);
    }
  }

  /**
   * The hidden objects at the root of the table.
   *
   * @param intents by their names, and so in the order in which the commits began
   * @param hasMarker whether the table has a {@code _SUCCESS}
   * @param strays keys of objects whose intent no longer exists, with the times of their last
   *     writes
   */
  record Listing(Map<String, Seen> intents, boolean hasMarker, Map<String, Instant> strays) {}

  Listing list() throws IOException {
    Map<String, List<ObjectMeta>> byId = new TreeMap<>();
    boolean[] hasMarker = new boolean[1];
    objects.list(
        names.everything(),
        page -> {
          for (ObjectMeta object : page.objects()) {
            names
                .id(object.key())
                .ifPresent(id -> byId.computeIfAbsent(id, i -> new ArrayList<>()).add(object));
            hasMarker[0] |= names.isMarker(object.key());
          }
        });
    Map<String, Seen> intents = new TreeMap<>();
    Map<String, Instant> strays = new LinkedHashMap<>();
    byId.forEach(
        (id, own) -> {
          Optional<Seen> seen = seen(id, own);
          seen.ifPresent(intent -> intents.put(id, intent));
          if (seen.isEmpty()) {
            own.forEach(object -> strays.put(object.key(), object.lastModified()));
          }
        });
    return new Listing(intents, hasMarker[0], strays);
  }

  private Optional<Seen> seen(String id, List<ObjectMeta> own) {
    List<String> keys = own.stream().map(ObjectMeta::key).toList();
    boolean isAlone = keys.contains(names.head(id, true));
    if (!isAlone && !keys.contains(names.head(id, false))) {
      return Optional.empty();
    }
    boolean isDecided = keys.contains(names.decision(id));
    Instant renewed = newest(own, key -> !key.equals(names.decision(id)));
    return Optional.of(new Seen(id, isAlone, isDecided, newest(own, key -> true), renewed));
  }

  private static Instant newest(List<ObjectMeta> objects, Predicate<String> condition) {
    return objects.stream()
        .filter(object -> condition.test(object.key()))
        .map(ObjectMeta::lastModified)
        .max(Instant::compareTo)
        .orElseThrow();
  }

  /** Writes the intent. Its pages are written first, so it is complete as soon as it is visible. */
  void put(Intent intent) throws IOException {
    pages.put(intent.id(), intent.files());
    put(
        headKey(intent),
        IntentText.of(intent, objects.table().toString(), IntentPages.count(intent.files())));
  }

  private String headKey(Intent intent) {
    return names.head(intent.id(), intent.isAlone());
  }

  /** Writes down what the job replaces. The pages are written first. */
  void put(Intent intent, Replaced replaced) throws IOException {
    pages.put(intent.id(), replaced);
    put(names.replaces(intent.id()), IntentText.of(replaced, IntentPages.count(replaced)));
  }

  /** Writes the lease, which shows that the job is alive. */
  void renew(Intent intent) throws IOException {
    put(names.lease(intent.id()), new byte[0]);
  }

  /**
   * Writes a note that the job has ended but one of its PUTs may still arrive. A later job deletes
   * the note at its fence.
   */
  void putSettling(Intent intent) throws IOException {
    put(names.settling(intent.id()), new byte[0]);
  }

  /** The possible decisions about a commit. */
  enum Decision {
    FORWARD,
    BACK,
    /**
     * The job has taken this intent back to let others commit, and continues with another intent.
     */
    WITHDRAWN
  }

  /**
   * The decision about a commit.
   *
   * @param isOurs whether the caller made this decision
   */
  record Decided(Decision decision, boolean isOurs) {}

  /**
   * Makes the decision about a commit, unless there is one already. Returns the decision that
   * counts.
   */
  Decided decide(String id, Decision wish) throws IOException {
    byte[] text = wish.name().getBytes(StandardCharsets.UTF_8);
    try {
      objects.put(names.decision(id), text, Condition.IF_ABSENT);
      return new Decided(wish, true);
    } catch (StoreException e) {
      if (e.kind() != Kind.PRECONDITION_FAILED && e.kind() != Kind.CONFLICT) {
        throw e;
      }
      return new Decided(decision(id).orElseThrow(() -> e), false);
    }
  }

  /** Returns the decision about a commit, if there is one. */
  Optional<Decision> decision(String id) throws IOException {
    Optional<byte[]> text = objects.get(names.decision(id));
    try {
      return text.map(bytes -> Decision.valueOf(new String(bytes, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the decision about a commit is damaged: " + names.decision(id), e);
    }
  }

  private void put(String key, byte[] content) throws IOException {
    objects.put(key, content, Condition.NONE);
  }

  /**
   * Reads an intent. Returns empty if it no longer exists because its job has ended, or if it
   * belongs to another table.
   */
  Optional<Intent> read(Seen seen) throws IOException {
    String key = names.head(seen.id(), seen.isAlone());
    Optional<byte[]> text = objects.get(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    IntentText.Head head;
    try {
      head = IntentText.head(text.get());
    } catch (IOException e) {
      throw new IOException(
          "%s: %s. Delete it once its job has ended".formatted(key, e.getMessage()), e);
    }
    Intent found = head.intent();
    if (!head.table().equals(objects.table().toString()) || !found.id().equals(seen.id())) {
      // The object was copied here together with another table.
      return Optional.empty();
    }
    return head.pages() == 0
        ? Optional.of(found)
        : pages.files(seen.id(), head.pages()).map(found::with);
  }

  /**
   * Reads what the job replaces. Returns empty if the job has not written this yet, or has ended.
   */
  Optional<Replaced> replaced(String id) throws IOException {
    Optional<byte[]> text = objects.get(names.replaces(id));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      IntentText.ReplacedHead head = IntentText.replaced(text.get());
      return head.pages() == 0
          ? Optional.of(head.replaced())
          : pages.replaced(id, head.replaced().hadMarker(), head.pages());
    } catch (IOException e) {
      throw new IOException(names.replaces(id) + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the keys of all objects that a job has written for its intent. The decision is the
   * last: while the intent is there, nobody should decide anew. (A store may delete the keys of one
   * request in another order. Then another process may decide again; it comes to the same decision,
   * because either all files of the job are there or none.)
   */
  List<String> keysOf(
      Intent intent, Optional<Replaced> replaced, boolean hasLease, boolean isDecided) {
    List<String> keys = new ArrayList<>(pages.keys(intent.id(), intent.files()));
    if (replaced.isPresent()) {
      // A list that lacks a page counts as none. So its first object may be deleted after its
      // pages.
      keys.addAll(pages.keys(intent.id(), replaced.get()));
      keys.add(names.replaces(intent.id()));
    }
    if (hasLease) {
      keys.add(names.lease(intent.id()));
    }
    keys.add(headKey(intent));
    if (isDecided) {
      keys.add(names.decision(intent.id()));
    }
    return keys;
  }

  /**
   * Removes the objects of an intent whose commit another process has ended, except the decision.
   * The decision stays for a day: the job may continue after a pause, and must find it.
   */
  void removeUndecided(String id) throws IOException {
    List<String> keys = keysOf(id);
    keys.remove(names.decision(id));
    delete(keys);
  }

  /** Returns true if the intent is still there. */
  boolean isThere(Intent intent) throws IOException {
    return objects.isThere(headKey(intent));
  }

  private List<String> keysOf(String id) throws IOException {
    List<String> keys = new ArrayList<>(objects.keysUnder(names.all(id)));
    for (String own : List.of(names.head(id, false), names.head(id, true))) {
      if (keys.remove(own)) {
        keys.add(own);
      }
    }
    return keys;
  }

  void delete(List<String> keys) throws IOException {
    objects.delete(keys);
  }
}
