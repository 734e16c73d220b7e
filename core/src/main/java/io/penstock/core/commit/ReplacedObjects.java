/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The objects that a job replaces, noted while it runs and listed when it commits. */
final class ReplacedObjects {
  /**
   * The prefix of names that are not data: intents, lists of running jobs, claims of checkpoints.
   */
  private static final String OWN = "_penstock_";

  private final Set<Target> targets = new LinkedHashSet<>();
  private final Map<ObjectKey, Condition> single = new LinkedHashMap<>();

  /**
   * Objects to be deleted.
   *
   * @param prefix if it ends with a slash, all objects under it; otherwise the one object whose key
   *     it is
   * @param isFlat whether only the objects directly under the prefix are deleted
   */
  private record Target(String bucket, String prefix, boolean isFlat) {}

  synchronized void add(String bucket, String prefix, boolean isFlat) {
    if (prefix.isEmpty()) {
      throw new IllegalArgumentException(
          "overwriting the root of s3://" + bucket + " would delete the whole bucket");
    }
    targets.add(new Target(bucket, prefix, isFlat));
  }

  /** Adds one object that is known already. */
  synchronized void add(ObjectKey object, Condition condition) {
    single.put(object, condition);
  }

  synchronized boolean isEmpty() {
    return targets.isEmpty() && single.isEmpty();
  }

  /** Returns true if the one object with this key is replaced. */
  synchronized boolean hasObject(String bucket, String key) {
    return targets.contains(new Target(bucket, key, false));
  }

  /** Forgets the one object with this key, which is gone already. */
  synchronized void removeObject(String bucket, String key) {
    targets.remove(new Target(bucket, key, false));
  }

  /** Returns true if all objects of the table are replaced. */
  synchronized boolean isWhole(OutputTable table) {
    return targets.contains(new Target(table.bucket(), table.prefix(), false));
  }

  /**
   * Lists the objects except {@code _SUCCESS}, which the commit deletes before them. Each comes
   * with the condition that it still is the listed one, if the store compares ETags in bulk.
   *
   * @param whole all objects of the table, if they are known
   */
  synchronized Map<ObjectKey, Condition> list(
      Stores stores,
      Lanes pool,
      ObjectKey marker,
      OutputTable table,
      Optional<List<ObjectMeta>> whole)
      throws IOException {
    Map<ObjectKey, Condition> keys = Collections.synchronizedMap(new LinkedHashMap<>());
    Parallel.untilFailureIn(
        target -> pool.reads(target.bucket(), target.prefix()),
        targets,
        target -> {
          ObjectStore store = stores.of(target.bucket());
          if (whole.isPresent()
              && target.equals(new Target(table.bucket(), table.prefix(), false))) {
            add(whole.get(), store, keys);
          } else if (target.prefix().endsWith("/")) {
            list(store, target, keys);
          } else {
            keys.put(new ObjectKey(target.bucket(), target.prefix()), Condition.NONE);
          }
        });
    keys.putAll(single);
    keys.remove(marker);
    return keys;
  }

  private static void list(ObjectStore store, Target target, Map<ObjectKey, Condition> keys)
      throws IOException {
    ListRequest request =
        target.isFlat() ? ListRequest.level(target.prefix()) : ListRequest.flat(target.prefix());
    Keys.forEachPage(store, request, page -> add(page.objects(), store, keys));
  }

  private static void add(
      List<ObjectMeta> objects, ObjectStore store, Map<ObjectKey, Condition> keys) {
    boolean isCompared = store.traits().comparesEtagsInBulk();
    for (ObjectMeta object : objects) {
      if (!isOwn(object.key())) {
        keys.put(
            new ObjectKey(store.bucket(), object.key()),
            isCompared ? Condition.ifMatch(object.etag()) : Condition.NONE);
      }
    }
  }

  /**
   * Returns the first object under a prefix that is not hidden and not the marker of the directory
   * itself.
   *
   * @param prefix ends with a slash
   */
  static Optional<String> first(ObjectStore store, String prefix) throws IOException {
    ListRequest request = ListRequest.flat(prefix);
    while (true) {
      ListPage page = store.list(request);
      Optional<String> found = first(page.objects(), prefix);
      if (found.isPresent() || page.nextToken().isEmpty()) {
        return found;
      }
      request = request.next(page.nextToken().get());
    }
  }

  /** Does the same for objects that are known already. */
  static Optional<String> first(List<ObjectMeta> objects, String prefix) {
    return objects.stream()
        .map(ObjectMeta::key)
        .filter(key -> !isOwn(key) && !key.equals(prefix))
        .findFirst();
  }

  private static boolean isOwn(String key) {
    return key.startsWith(OWN) || key.contains("/" + OWN);
  }
}
