/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Passes the events of all layers to the listeners. Costs nothing while there is no listener. Safe
 * for use by many threads.
 */
public final class RequestEvents {
  private final List<RequestEvent.Listener> listeners = new CopyOnWriteArrayList<>();

  /**
   * Adds a listener, which gets the events from now on; one that is added twice gets each twice.
   */
  public void add(RequestEvent.Listener listener) {
    listeners.add(listener);
  }

  /** Removes a listener; one that was added twice stays once. */
  public void remove(RequestEvent.Listener listener) {
    listeners.remove(listener);
  }

  /** Passes an event to all listeners. The event is created only if there is a listener. */
  public void tell(Supplier<RequestEvent> event) {
    if (listeners.isEmpty()) {
      return;
    }
    RequestEvent made = event.get();
    listeners.forEach(listener -> listener.happened(made));
  }
}
