/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The endpoints that a process knows, with one state for each name. The state lives as long as
 * somebody holds it; of those that nobody holds, the ones used last are kept, because file systems
 * come and go.
 */
public final class Endpoints {
  /** A state holds at most some hundred KB, and a process seldom talks to more than three. */
  private static final int KEPT_MAX = 16;

  private final Map<String, WeakReference<EndpointState>> known = new HashMap<>();
  private final Map<String, EndpointState> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, EndpointState> eldest) {
          return size() > KEPT_MAX;
        }
      };

  private boolean trusted;

  /**
   * Takes every endpoint for right from now on, as if it had answered: this process was started by
   * one that has asked it.
   */
  public synchronized void trust() {
    trusted = true;
  }

  /**
   * Returns the state of the endpoint. A store without an endpoint gets one of its own.
   *
   * @param name as {@link io.penstock.core.store.ObjectStore#endpoint()} tells it
   */
  public synchronized EndpointState of(String name) {
    if (name.isEmpty()) {
      return new EndpointState(name, trusted);
    }
    WeakReference<EndpointState> reference = known.get(name);
    EndpointState state = reference == null ? null : reference.get();
    if (state == null) {
      known.values().removeIf(old -> old.refersTo(null));
      state = new EndpointState(name, trusted);
      known.put(name, new WeakReference<>(state));
    }
    kept.put(name, state);
    return state;
  }

  /** Returns how many endpoints have an entry, also those whose state is gone. */
  synchronized int size() {
    return known.size();
  }
}
