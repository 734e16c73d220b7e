/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The objects of the intents at one table. Each is written once and never changed:
 *
 * <pre>
 * _penstock_intent_ID.append      the intent of a job that others may commit beside
 * _penstock_intent_ID.alone       the same of a job that must be alone
 * _penstock_intent_ID.page-0001   more of its uploads
 * _penstock_intent_ID.replaces    what it replaces; it has passed the fence
 * _penstock_intent_ID.replaces-0001   more of that
 * _penstock_intent_ID.lease       written again and again: the job lives
 * _penstock_intent_ID.decision    whether the commit goes forward or back, or was taken back
 * </pre>
 *
 * <p>Names with a leading underscore are hidden from Spark, Hive, Trino and Arrow.
 */
final class IntentFiles {
  private static final String NAME = "_penstock_intent_";
  private static final Pattern NAMES =
      Pattern.compile(NAME + "([0-9TZ]{19}_[A-Za-z0-9.-]+)\\.([a-z]+)(?:-([0-9]{4,9}))?");
  private static final String APPEND = "append";
  private static final String ALONE = "alone";
  private static final String PAGE = "page";
  private static final String REPLACES = "replaces";
  private static final String LEASE = "lease";
  private static final String DECISION = "decision";

  /** Uploads, or keys, of some 250 bytes each, so that an object has about a megabyte. */
  private static final int PAGE_SIZE = 5_000;

  /** Pages that are written or read at once. */
  private static final int AT_ONCE = 32;

  private static final long BYTES_MAX = 1L << 30;

  private final Stores stores;
  private final Table table;
  private final Lanes pool;

  IntentFiles(Stores stores, Table table, Lanes pool) {
    this.stores = stores;
    this.table = table;
    this.pool = pool;
  }

  /**
   * The part of an intent that a listing shows.
   *
   * @param isDecided whether it goes forward or back for good
   * @param touched when the newest of its objects was written, by the store's clock
   */
  record Seen(String id, boolean isAlone, boolean isDecided, Instant touched) {}

  /**
   * The hidden objects at the root of the table.
   *
   * @param intents by their names, so in the order of the commits' beginnings
   * @param hasMarker whether the table has a {@code _SUCCESS}
   * @param strays keys of objects that belong to no intent any more, with their times
   */
  record Listing(Map<String, Seen> intents, boolean hasMarker, Map<String, Instant> strays) {}

  Listing list() throws IOException {
    Map<String, List<ObjectMeta>> byId = new TreeMap<>();
    boolean[] hasMarker = new boolean[1];
    Keys.forEachPage(
        store(),
        ListRequest.level(table.prefix() + "_"),
        page -> {
          for (ObjectMeta object : page.objects()) {
            String name = object.key().substring(table.prefix().length());
            Matcher matcher = NAMES.matcher(name);
            if (matcher.matches()) {
              byId.computeIfAbsent(matcher.group(1), id -> new ArrayList<>()).add(object);
            }
            hasMarker[0] |= name.equals(Marker.NAME);
          }
        });
    Map<String, Seen> intents = new TreeMap<>();
    Map<String, Instant> strays = new LinkedHashMap<>();
    byId.forEach(
        (id, objects) -> {
          Optional<Seen> seen = seen(id, objects);
          seen.ifPresent(intent -> intents.put(id, intent));
          if (seen.isEmpty()) {
            objects.forEach(object -> strays.put(object.key(), object.lastModified()));
          }
        });
    return new Listing(intents, hasMarker[0], strays);
  }

  private Optional<Seen> seen(String id, List<ObjectMeta> objects) {
    List<String> keys = objects.stream().map(ObjectMeta::key).toList();
    boolean isAlone = keys.contains(key(id, ALONE));
    if (!isAlone && !keys.contains(key(id, APPEND))) {
      return Optional.empty();
    }
    Instant touched =
        objects.stream().map(ObjectMeta::lastModified).max(Instant::compareTo).orElseThrow();
    return Optional.of(new Seen(id, isAlone, keys.contains(key(id, DECISION)), touched));
  }

  /** Writes the intent, its pages first, so that it is whole once it can be seen. */
  void put(Intent intent) throws IOException {
    List<TaskUpload> uploads = intent.uploads();
    int pages = pages(uploads.size());
    forEachPage(
        pages,
        number -> {
          int start = (number - 1) * PAGE_SIZE;
          int end = Math.min(uploads.size(), start + PAGE_SIZE);
          put(page(intent.id(), PAGE, number), IntentText.page(uploads.subList(start, end)));
        });
    put(headKey(intent), IntentText.of(intent, table.toString(), pages));
  }

  /** Returns how many objects so many lines need beside the first; 0 when they are in that. */
  private static int pages(long lines) {
    return lines <= PAGE_SIZE ? 0 : Math.toIntExact((lines + PAGE_SIZE - 1) / PAGE_SIZE);
  }

  private static int pages(Replaced replaced) {
    return pages((long) replaced.old().size() + replaced.inPlace().size());
  }

  private void forEachPage(int pages, Parallel.Action<Integer> action) throws IOException {
    Parallel.untilFailureIn(
        number -> pool.writes(table.bucket(), table.prefix()),
        IntStream.rangeClosed(1, pages).boxed().toList(),
        AT_ONCE,
        action);
  }

  private String headKey(Intent intent) {
    return key(intent.id(), intent.isAlone() ? ALONE : APPEND);
  }

  /** Writes down what the job replaces, the pages first. */
  void put(Intent intent, Replaced replaced) throws IOException {
    int pages = pages(replaced);
    if (pages > 0) {
      putPages(intent.id(), replaced);
    }
    put(key(intent.id(), REPLACES), IntentText.of(replaced, pages));
  }

  private void putPages(String id, Replaced replaced) throws IOException {
    Iterator<ObjectKey> old = replaced.old().iterator();
    Iterator<ObjectKey> inPlace = replaced.inPlace().iterator();
    record Page(int number, Replaced keys) {}
    Iterable<Page> pages =
        () ->
            IntStream.rangeClosed(1, pages(replaced))
                .mapToObj(
                    number -> {
                      Set<ObjectKey> some = upTo(PAGE_SIZE, old);
                      return new Page(
                          number,
                          new Replaced(false, some, upTo(PAGE_SIZE - some.size(), inPlace)));
                    })
                .iterator();
    Parallel.untilFailureIn(
        page -> pool.writes(table.bucket(), table.prefix()),
        pages,
        AT_ONCE,
        page -> put(page(id, REPLACES, page.number()), IntentText.page(page.keys())));
  }

  private static Set<ObjectKey> upTo(int count, Iterator<ObjectKey> keys) {
    Set<ObjectKey> some = new LinkedHashSet<>();
    while (some.size() < count && keys.hasNext()) {
      some.add(keys.next());
    }
    return some;
  }

  /** Says that the job lives. */
  void renew(Intent intent) throws IOException {
    put(key(intent.id(), LEASE), new byte[0]);
  }

  /** The directions that a commit can be decided to go. */
  enum Decision {
    FORWARD,
    BACK,
    /** The job has taken this intent back to let others commit, and goes on with another one. */
    WITHDRAWN
  }

  /**
   * The decision about a commit.
   *
   * @param isOurs whether it is the caller's own decision
   */
  record Decided(Decision decision, boolean isOurs) {}

  /** Decides where a commit goes, unless somebody has done so before. */
  Decided decide(String id, Decision wish) throws IOException {
    byte[] text = wish.name().getBytes(StandardCharsets.UTF_8);
    try {
      store().put(key(id, DECISION), Body.ofBytes(text), Condition.IF_ABSENT);
      return new Decided(wish, true);
    } catch (StoreException e) {
      if (e.kind() != Kind.PRECONDITION_FAILED && e.kind() != Kind.CONFLICT) {
        throw e;
      }
      return new Decided(decision(id).orElseThrow(() -> e), false);
    }
  }

  /** Returns what is decided, if anything is. */
  Optional<Decision> decision(String id) throws IOException {
    Optional<byte[]> text = get(key(id, DECISION));
    try {
      return text.map(bytes -> Decision.valueOf(new String(bytes, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the decision about a commit is damaged: " + key(id, DECISION), e);
    }
  }

  private void put(String key, byte[] content) throws IOException {
    store().put(key, Body.ofBytes(content), Condition.NONE);
  }

  /** Reads an intent; empty when it is gone, because its job has come to its end. */
  Optional<Intent> read(Seen seen) throws IOException {
    Optional<byte[]> text = get(key(seen.id(), seen.isAlone() ? ALONE : APPEND));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    IntentText.Head head;
    try {
      head = IntentText.head(text.get());
    } catch (IOException e) {
      throw new IOException(
          "%s: %s. Delete it once its job has ended"
              .formatted(key(seen.id(), seen.isAlone() ? ALONE : APPEND), e.getMessage()),
          e);
    }
    if (!head.table().equals(table.toString()) || !head.intent().id().equals(seen.id())) {
      // A copy of another table has brought it along.
      return Optional.empty();
    }
    Optional<JobUploads> uploads =
        head.pages() == 0
            ? Optional.of(JobUploads.of(head.intent().uploads()))
            : uploads(seen.id(), head.pages());
    Intent found = head.intent();
    return uploads.map(
        all ->
            new Intent(
                found.job(),
                found.turn(),
                found.isAlone(),
                found.markerKey(),
                found.marker(),
                all));
  }

  private Optional<JobUploads> uploads(String id, int pages) throws IOException {
    byte[][] packed = new byte[pages][];
    forEachPage(
        pages,
        number -> {
          Optional<byte[]> page = get(page(id, PAGE, number));
          if (page.isPresent()) {
            packed[number - 1] = new TaskUploads(IntentText.uploadsOfPage(page.get())).toBytes();
          }
        });
    JobUploads.Builder uploads = new JobUploads.Builder();
    for (byte[] page : packed) {
      if (page == null) {
        return Optional.empty();
      }
      uploads.add(page);
    }
    return Optional.of(uploads.build());
  }

  /** Reads what the job replaces; empty when it has not said so, or has come to its end. */
  Optional<Replaced> replaced(String id) throws IOException {
    Optional<byte[]> text = get(key(id, REPLACES));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      IntentText.ReplacedHead head = IntentText.replaced(text.get());
      return head.pages() == 0
          ? Optional.of(head.replaced())
          : replaced(id, head.replaced().hadMarker(), head.pages());
    } catch (IOException e) {
      throw new IOException(key(id, REPLACES) + ": " + e.getMessage(), e);
    }
  }

  private Optional<Replaced> replaced(String id, boolean hadMarker, int pages) throws IOException {
    Set<ObjectKey> old = Collections.synchronizedSet(new LinkedHashSet<>());
    Set<ObjectKey> inPlace = Collections.synchronizedSet(new LinkedHashSet<>());
    AtomicBoolean isWhole = new AtomicBoolean(true);
    forEachPage(
        pages,
        number -> {
          Optional<byte[]> page = get(page(id, REPLACES, number));
          if (page.isEmpty()) {
            isWhole.set(false);
            return;
          }
          Replaced some = IntentText.replacedPage(page.get());
          old.addAll(some.old());
          inPlace.addAll(some.inPlace());
        });
    return isWhole.get() ? Optional.of(new Replaced(hadMarker, old, inPlace)) : Optional.empty();
  }

  private Optional<byte[]> get(String key) throws IOException {
    try {
      return Optional.of(store().get(key, new SuffixRange(BYTES_MAX), Optional.empty()).bytes());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns the keys of what a job has written for its intent, the intent's own last. */
  List<String> keysOf(
      Intent intent, Optional<Replaced> replaced, boolean hasLease, boolean isDecided) {
    List<String> keys = new ArrayList<>();
    for (int i = 1; i <= pages(intent.uploads().size()); i++) {
      keys.add(page(intent.id(), PAGE, i));
    }
    if (replaced.isPresent()) {
      // The first goes last: while it is there, it is whole.
      for (int i = pages(replaced.get()); i >= 1; i--) {
        keys.add(page(intent.id(), REPLACES, i));
      }
      keys.add(key(intent.id(), REPLACES));
    }
    if (hasLease) {
      keys.add(key(intent.id(), LEASE));
    }
    if (isDecided) {
      keys.add(key(intent.id(), DECISION));
    }
    keys.add(headKey(intent));
    return keys;
  }

  /**
   * Removes what a job that others have brought to its end has left. The decision stays for a day:
   * the job may wake up, and must know it.
   */
  void removeUndecided(String id) throws IOException {
    List<String> keys = keysOf(id);
    keys.remove(key(id, DECISION));
    delete(keys);
  }

  /** Returns true if the intent is still there. */
  boolean isThere(Intent intent) throws IOException {
    try {
      store().head(headKey(intent));
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return false;
      }
      throw e;
    }
  }

  private List<String> keysOf(String id) throws IOException {
    List<String> keys =
        new ArrayList<>(
            Keys.under(store(), table.prefix() + NAME + id + ".").stream()
                .map(ObjectMeta::key)
                .toList());
    for (String own : List.of(key(id, APPEND), key(id, ALONE))) {
      if (keys.remove(own)) {
        keys.add(own);
      }
    }
    return keys;
  }

  void delete(List<String> keys) throws IOException {
    Keys.deleteAll(store(), keys, pool);
  }

  private ObjectStore store() throws IOException {
    return stores.of(table.bucket());
  }

  private String page(String id, String kind, int number) {
    return key(id, kind + "-%04d".formatted(number));
  }

  private String key(String id, String suffix) {
    return table.prefix() + NAME + id + "." + suffix;
  }
}
