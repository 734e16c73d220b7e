/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.memory;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.KeyOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.Function;

/** Makes one page of a listing from a sorted set of keys, in the same way as ListObjectsV2. */
final class Lister {
  private static final String AFTER_KEY = "k";
  private static final String AFTER_GROUP = "g";

  private final NavigableSet<String> keys;
  private final ListRequest request;
  private final Optional<Instant> now;
  private final List<ObjectMeta> objects = new ArrayList<>();
  private final List<String> groups = new ArrayList<>();

  Lister(NavigableSet<String> keys, ListRequest request, Instant now) {
    this.keys = keys;
    this.request = request;
    this.now = Optional.of(now);
  }

  ListPage page(Function<String, ObjectMeta> meta) {
    String key = first();
    String last = null;
    while (key != null && key.startsWith(request.prefix())) {
      if (objects.size() + groups.size() == request.maxKeys()) {
        return new ListPage(objects, groups, Optional.of(last), now);
      }
      String group = groupOf(key);
      if (group == null) {
        objects.add(meta.apply(key));
        last = AFTER_KEY + key;
        key = keys.higher(key);
      } else {
        groups.add(group);
        last = AFTER_GROUP + group;
        key = firstPast(group);
      }
    }
    return new ListPage(objects, groups, Optional.empty(), now);
  }

  private String first() {
    if (request.token().isPresent()) {
      String last = request.token().get().substring(1);
      return request.token().get().startsWith(AFTER_GROUP) ? firstPast(last) : keys.higher(last);
    }
    String start = keys.ceiling(request.prefix());
    boolean later = KeyOrder.INSTANCE.compare(request.startAfter(), request.prefix()) >= 0;
    return later && !request.startAfter().isEmpty() ? keys.higher(request.startAfter()) : start;
  }

  private String groupOf(String key) {
    if (request.delimiter().isEmpty()) {
      return null;
    }
    int found = key.indexOf(request.delimiter(), request.prefix().length());
    return found < 0 ? null : key.substring(0, found + request.delimiter().length());
  }

  private String firstPast(String group) {
    String key = keys.ceiling(group);
    while (key != null && key.startsWith(group)) {
      key = keys.higher(key);
    }
    return key;
  }
}
