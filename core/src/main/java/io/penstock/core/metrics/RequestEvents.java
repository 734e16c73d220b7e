/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Hands the events of all wrappers to whoever listens; costs nothing while nobody does. */
public final class RequestEvents {
  private final List<RequestEvent.Listener> listeners = new CopyOnWriteArrayList<>();

  public void add(RequestEvent.Listener listener) {
    listeners.add(listener);
  }

  public void remove(RequestEvent.Listener listener) {
    listeners.remove(listener);
  }

  /** Tells all listeners; the event is only made when there are any. */
  public void tell(Supplier<RequestEvent> event) {
    if (listeners.isEmpty()) {
      return;
    }
    RequestEvent made = event.get();
    listeners.forEach(listener -> listener.happened(made));
  }
}
