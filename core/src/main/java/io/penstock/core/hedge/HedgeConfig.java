/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The settings for second attempts beside slow ones: when they begin, and how many there may be.
 *
 * @param quantile the share of the requests of a kind that are not slow, 0.5 to 0.999
 * @param budget the most hedges over time as a share of the requests, 0 to 1; a twentieth of that
 *     is added
 * @param delayMin the shortest time after which a hedge starts
 */
public record HedgeConfig(boolean enabled, double quantile, double budget, Duration delayMin) {
  static final ConfigKey<Boolean> ENABLED =
      ConfigKey.bool("hedge.enabled")
          .defaultsTo("true")
          .doc(
              "Send a request a second time, in parallel, when its first attempt is slow, and use"
                  + " whichever answer comes first.");

  public static final List<ConfigKey<?>> KEYS = List.of(ENABLED);

  /** With a smaller one, more attempts would count as slow than the budget allows to hedge. */
  private static final double QUANTILE = 0.98;

  /** A judgement: more would load a store that is slow. */
  private static final double BUDGET = 0.02;

  /** A judgement: a request that is answered sooner is not worth a second one. */
  private static final Duration DELAY_MIN = Duration.ofMillis(50);

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static HedgeConfig from(Settings settings) {
    return new HedgeConfig(settings.get(ENABLED), QUANTILE, BUDGET, DELAY_MIN);
  }
}
