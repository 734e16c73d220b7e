/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/** The objects that a job replaces, noted while it runs and listed when it commits. */
final class Targets {
  /** Intents, lists of jobs that are still at work, claims of checkpoints: none is data. */
  private static final String OWN = "/_penstock_";

  private final Set<Target> targets = new LinkedHashSet<>();

  /**
   * Objects that go: all under a prefix that ends with a slash, or the one with that key.
   *
   * @param isFlat whether only those directly under the prefix go
   */
  private record Target(String bucket, String prefix, boolean isFlat) {}

  synchronized void add(String bucket, String prefix, boolean isFlat) {
    if (prefix.isEmpty()) {
      throw new IllegalArgumentException(
          "overwriting the root of s3://" + bucket + " would delete the whole bucket");
    }
    targets.add(new Target(bucket, prefix, isFlat));
  }

  synchronized boolean isEmpty() {
    return targets.isEmpty();
  }

  /** Lists the objects, without a {@code _SUCCESS}, which the commit deletes before them. */
  synchronized Set<ObjectKey> list(Stores stores, ObjectKey marker) throws IOException {
    Set<ObjectKey> keys = new LinkedHashSet<>();
    for (Target target : targets) {
      if (target.prefix().endsWith("/")) {
        list(stores, target, keys);
      } else {
        keys.add(new ObjectKey(target.bucket(), target.prefix()));
      }
    }
    keys.remove(marker);
    keys.removeIf(key -> ("/" + key.key()).contains(OWN));
    return keys;
  }

  private static void list(Stores stores, Target target, Set<ObjectKey> keys) throws IOException {
    ListRequest request =
        target.isFlat() ? ListRequest.level(target.prefix()) : ListRequest.flat(target.prefix());
    Keys.forEachPage(
        stores.of(target.bucket()),
        request,
        page -> {
          for (ObjectMeta object : page.objects()) {
            keys.add(new ObjectKey(target.bucket(), object.key()));
          }
        });
  }
}
