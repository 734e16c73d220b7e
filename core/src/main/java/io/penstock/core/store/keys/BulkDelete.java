/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes up to 1,000 keys of which none stops the others. They are deleted in one request where
 * that is possible. These are deleted one by one: keys that a bulk delete cannot name, keys whose
 * deletion the answers do not confirm, and all keys if the store refuses the request as such.
 */
public final class BulkDelete {
  /** An answer that does not name all keys may be a single accident, so it gets a second chance. */
  private static final int ROUNDS = 2;

  /** Refusals of the form of the request; a request for each key alone may be accepted. */
  private static final Set<Kind> OF_THE_FORM =
      Set.of(Kind.INVALID_REQUEST, Kind.UNSUPPORTED, Kind.NOT_S3);

  /** Failures of one key that say nothing about the other keys. */
  private static final Set<Kind> OF_THE_KEY =
      Set.of(Kind.ACCESS_DENIED, Kind.INVALID_REQUEST, Kind.PRECONDITION_FAILED);

  private final ObjectStore store;
  private final Map<String, Condition> conditions;
  private final List<String> inBulk = new ArrayList<>();
  private final List<String> alone = new ArrayList<>();
  private final Map<String, StoreException> failed = new LinkedHashMap<>();

  /**
   * @param keys at most 1,000, each with its condition; those that no object can have count as
   *     deleted
   */
  BulkDelete(ObjectStore store, Map<String, Condition> keys) {
    this.store = store;
    this.conditions = keys;
    keys.keySet().stream()
        .filter(KeyLimits::canExist)
        .forEach(key -> (KeyLimits.fitsXml(key) ? inBulk : alone).add(key));
  }

  /**
   * Deletes the keys.
   *
   * @return the keys that were not deleted, each with its failure
   * @throws StoreException when the store fails for all keys, so that it is not known which of them
   *     were deleted
   */
  Map<String, StoreException> run() throws IOException {
    List<String> left = inBulk;
    boolean isRefused = false;
    for (int round = 1; round <= ROUNDS && left.size() > 1 && !isRefused; round++) {
      List<String> asked = left;
      try {
        left = unsettled(store.deleteAll(conditional(asked)));
      } catch (StoreException e) {
        if (!OF_THE_FORM.contains(e.kind())) {
          throw e;
        }
        isRefused = true;
      }
    }
    alone.addAll(left);
    for (String key : alone) {
      delete(key);
    }
    return failed;
  }

  private Map<String, Condition> conditional(List<String> asked) {
    Map<String, Condition> some = new LinkedHashMap<>();
    asked.forEach(key -> some.put(key, conditions.get(key)));
    return some;
  }

  /** Returns the keys to ask for again, and records the failures of the others. */
  private List<String> unsettled(Map<String, StoreException> failures) {
    List<String> again = new ArrayList<>();
    failures.forEach(
        (key, failure) -> {
          if (OF_THE_FORM.contains(failure.kind())) {
            again.add(key);
          } else {
            failed.put(key, failure);
          }
        });
    return again;
  }

  private void delete(String key) throws IOException {
    try {
      store.delete(key, conditions.get(key));
    } catch (StoreException e) {
      if (!OF_THE_KEY.contains(e.kind())) {
        throw e;
      }
      failed.put(key, e);
    }
  }
}
