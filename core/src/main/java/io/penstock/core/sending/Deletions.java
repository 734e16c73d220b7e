/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Partial;
import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A bulk delete, which is repeated for the keys that failed inside a successful answer. */
final class Deletions<V>
    implements Partial<Map<String, StoreException>>, Exchange<Map<String, StoreException>> {
  /**
   * The number of bytes that each key counts as, so that the times of short and long lists are told
   * apart.
   */
  private static final long BYTES_PER_KEY = 1 << 10;

  private final String bucket;
  private final Map<String, V> all;
  private final Sender<V> sender;
  private Map<String, V> asked = Map.of();

  /** Sends one request for some of the keys, and returns those that failed. */
  @FunctionalInterface
  interface Sender<V> {
    Map<String, StoreException> send(Map<String, V> some) throws IOException;
  }

  /**
   * @param all the keys, each with what the request says of it
   */
  Deletions(String bucket, Map<String, V> all, Sender<V> sender) {
    this.bucket = bucket;
    this.all = all;
    this.sender = sender;
  }

  @Override
  public Request<Map<String, StoreException>> rest(List<String> keys) {
    asked = new LinkedHashMap<>();
    keys.forEach(key -> asked.put(key, all.get(key)));
    return new Request<>(
        Operation.DELETE_ALL,
        bucket,
        keys.isEmpty() ? "" : keys.get(0),
        keys,
        0,
        keys.size() * BYTES_PER_KEY,
        true,
        Doubling.NEVER,
        this);
  }

  @Override
  public Map<String, StoreException> send(Context context) throws IOException {
    return sender.send(asked);
  }

  @Override
  public Map<String, StoreException> failures(Map<String, StoreException> answer) {
    return answer;
  }

  @Override
  public Map<String, StoreException> whole(Map<String, StoreException> failed) {
    return failed;
  }
}
