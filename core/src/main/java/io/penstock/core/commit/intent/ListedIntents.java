/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.store.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Finds the intents among the objects of a listing. The sizes of the decisions tell which. */
record ListedIntents(IntentNames names) {
  Listing of(List<ObjectMeta> all, Optional<Instant> servedAt, int pages) {
    Map<String, List<ObjectMeta>> byId = new TreeMap<>();
    Optional<ObjectMeta> marker = Optional.empty();
    Optional<ObjectMeta> epoch = Optional.empty();
    for (ObjectMeta object : all) {
      names
          .id(object.key())
          .ifPresent(id -> byId.computeIfAbsent(id, i -> new ArrayList<>()).add(object));
      if (names.isMarker(object.key())) {
        marker = Optional.of(object);
      }
      if (object.key().equals(names.epoch())) {
        epoch = Optional.of(object);
      }
    }
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
    return new Listing(intents, marker, epoch, strays, servedAt, all, pages);
  }

  private Optional<Seen> seen(String id, List<ObjectMeta> own) {
    List<String> keys = own.stream().map(ObjectMeta::key).toList();
    boolean isAlone = keys.contains(names.head(id, true));
    if (!isAlone && !keys.contains(names.head(id, false))) {
      return Optional.empty();
    }
    Optional<ObjectMeta> decision = decision(id, own);
    Instant renewed = newest(own, key -> !key.equals(names.decision(id)));
    return Optional.of(
        new Seen(
            id,
            isAlone,
            keys.contains(names.replaces(id)),
            decision.filter(found -> Decision.isVisible(found.sizeBytes())).isPresent(),
            decision.filter(found -> Decision.isEnd(found.sizeBytes())).isPresent(),
            newest(own, key -> true),
            renewed));
  }

  /** Returns the decision among the objects of an intent. */
  Optional<ObjectMeta> decision(String id, List<ObjectMeta> own) {
    return own.stream().filter(object -> object.key().equals(names.decision(id))).findFirst();
  }

  private static Instant newest(List<ObjectMeta> objects, Predicate<String> condition) {
    return objects.stream()
        .filter(object -> condition.test(object.key()))
        .map(ObjectMeta::lastModified)
        .max(Instant::compareTo)
        .orElseThrow();
  }
}
