/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import io.penstock.core.config.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Who decides how fast a cluster sends. */
public enum Policy {
  /** No cap; a throttled request waits longer and longer. */
  BACKOFF,
  /** EMRFS's limiter as it is documented. */
  AIMD,
  /** The adaptive retry mode of the AWS SDKs. */
  SDK_ADAPTIVE,
  /** Penstock without a driver: each executor decides alone. */
  PENSTOCK_ALONE,
  /** Penstock. */
  PENSTOCK,
  /** An oracle: requests queue at the partition, and none is ever rejected. */
  IDEAL;

  /** Returns it as it is written in scenarios and tables. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The policy of that slug; another one is refused with the nearest. */
  public static Policy of(String slug) {
    for (Policy policy : values()) {
      if (policy.slug().equals(slug)) {
        return policy;
      }
    }
    List<String> known = Arrays.stream(values()).map(Policy::slug).toList();
    throw new IllegalArgumentException(
        "there is no policy %s; did you mean %s?".formatted(slug, Nearest.of(slug, known)));
  }
}
