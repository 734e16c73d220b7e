/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import io.penstock.core.config.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The policies that decide how fast a cluster sends. */
public enum SendPolicy {
  /**
   * Exponential back-off without a rate limit: a throttled request waits longer after each attempt.
   */
  BACKOFF,
  /** The AIMD limiter of EMRFS, as documented. */
  AIMD,
  /** The adaptive retry mode of the AWS SDKs. */
  SDK_ADAPTIVE,
  /** Penstock without a driver: each executor decides alone. */
  PENSTOCK_ALONE,
  /** Penstock with a driver that coordinates the executors. */
  PENSTOCK,
  /** An oracle for comparison: requests queue at the partition, and none is ever rejected. */
  IDEAL;

  /** Returns the name that is used in scenarios and tables. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the policy with this slug.
   *
   * @throws IllegalArgumentException when there is none of that name; the message names the most
   *     similar one
   */
  public static SendPolicy of(String slug) {
    for (SendPolicy policy : values()) {
      if (policy.slug().equals(slug)) {
        return policy;
      }
    }
    List<String> known = Arrays.stream(values()).map(SendPolicy::slug).toList();
    throw new IllegalArgumentException(
        "there is no policy %s; did you mean %s?".formatted(slug, NearestName.of(slug, known)));
  }
}
