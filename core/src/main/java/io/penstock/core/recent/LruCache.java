/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.recent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps the entries used last, up to a limit. It is meant for information about names of which
 * there may be any number, such as buckets, if the process can find the information out again. Safe
 * for use by many threads.
 */
public final class LruCache<K, V> {
  private final Map<K, V> entries;

  /**
   * @param most number of entries that are kept
   */
  public LruCache(int most) {
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  /** Returns the value, and counts it as used now. */
  public synchronized Optional<V> get(K key) {
    return Optional.ofNullable(entries.get(key));
  }

  /**
   * Returns the value. If there is none, the function makes it; the function must be quick. It runs
   * while the whole collection is locked, and must not return null.
   */
  public synchronized V computeIfAbsent(K key, Function<? super K, ? extends V> make) {
    V value = entries.get(key);
    if (value == null) {
      value = make.apply(key);
      entries.put(key, value);
    }
    return value;
  }

  /** Sets the value and returns the previous one. */
  public synchronized Optional<V> put(K key, V value) {
    return Optional.ofNullable(entries.put(key, value));
  }

  /** Returns a copy of the present keys. */
  public synchronized List<K> keys() {
    return List.copyOf(entries.keySet());
  }

  public synchronized void remove(K key) {
    entries.remove(key);
  }

  public synchronized int size() {
    return entries.size();
  }
}
