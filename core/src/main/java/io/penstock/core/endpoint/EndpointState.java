/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import io.penstock.core.latency.LatencyModel;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps what this process has learned of one endpoint. All its buckets there share it, so that the
 * state does not grow with the buckets and a new one starts with what the others know.
 */
public final class EndpointState {
  /** Models are told apart by a setting, of which a process has one or two values. */
  private static final int MODELS_MAX = 8;

  private final String name;
  private final Presence presence;
  private final Map<Double, LatencyModel> models =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Double, LatencyModel> eldest) {
          return size() > MODELS_MAX;
        }
      };

  EndpointState(String name, boolean answered) {
    this.name = name;
    this.presence = new Presence(name.isEmpty() ? "the store" : name, answered);
  }

  /** Returns the endpoint's name for messages; empty for that of a store that has none. */
  public String name() {
    return name;
  }

  /** Returns whether the endpoint is there. */
  public Presence presence() {
    return presence;
  }

  /** Returns the model of how long requests take, with hedges at the quantile. */
  public synchronized LatencyModel latencies(double quantile) {
    return models.computeIfAbsent(quantile, LatencyModel::new);
  }
}
