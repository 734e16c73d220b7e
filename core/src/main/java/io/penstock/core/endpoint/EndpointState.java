/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import io.penstock.core.latency.LatencyModel;
import io.penstock.core.latency.TransferSpeed;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Holds the information that this process has learned about one endpoint. All buckets at the
 * endpoint share it. So the state does not grow with the number of buckets, and a new bucket starts
 * with the information that exists.
 */
public final class EndpointState {
  /** Each model belongs to one value of a setting; a process has one or two such values. */
  private static final int MODELS_MAX = 8;

  private final String name;
  private final EndpointHealth presence;
  private final TransferSpeed readSpeed = TransferSpeed.ofReads();
  private final TransferSpeed partSpeed = TransferSpeed.ofParts();
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
    this.presence = new EndpointHealth(name.isEmpty() ? "the store" : name, answered);
  }

  /** Returns the endpoint's name for messages; empty if the store has no endpoint name. */
  public String name() {
    return name;
  }

  /** Returns the record of whether the endpoint answers. */
  public EndpointHealth presence() {
    return presence;
  }

  /** Returns how fast the endpoint answers the reads of this process. */
  public TransferSpeed readSpeed() {
    return readSpeed;
  }

  /** Returns how fast the endpoint takes the parts of this process. */
  public TransferSpeed partSpeed() {
    return partSpeed;
  }

  /**
   * Returns the model that learns the durations of requests; hedges start at the given quantile.
   * All callers with the same quantile share a model.
   *
   * @param quantile in (0, 1); otherwise an IllegalArgumentException is thrown
   */
  public synchronized LatencyModel latencies(double quantile) {
    return models.computeIfAbsent(quantile, LatencyModel::new);
  }
}
