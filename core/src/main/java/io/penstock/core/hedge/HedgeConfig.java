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
              "Start a second, parallel attempt when an attempt is slow, and use the first"
                  + " answer.");

  static final ConfigKey<Double> QUANTILE =
      ConfigKey.fraction("hedge.quantile")
          .defaultsTo("0.98")
          .mustBe("0.5 to 0.999", q -> q >= 0.5 && q <= 0.999)
          .doc(
              "An attempt is slow when it runs longer than this quantile of its kind (0.98: than 98"
                  + " % of them). With a smaller value, more attempts count as slow than"
                  + " hedge.budget allows to hedge.");

  static final ConfigKey<Double> BUDGET =
      ConfigKey.fraction("hedge.budget")
          .defaultsTo("0.02")
          .doc(
              "Upper limit of the number of hedges, as a share of the requests. A twentieth of"
                  + " this share is added for second hedges.");

  static final ConfigKey<Duration> DELAY_MIN =
      ConfigKey.duration("hedge.delay.min")
          .defaultsTo("50ms")
          .mustBe("at least 1ms", d -> d.toMillis() >= 1)
          .doc("Never start a second attempt sooner than this, however fast requests are.");

  public static final List<ConfigKey<?>> KEYS = List.of(ENABLED, QUANTILE, BUDGET, DELAY_MIN);

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static HedgeConfig from(Settings settings) {
    return new HedgeConfig(
        settings.get(ENABLED),
        settings.get(QUANTILE),
        settings.get(BUDGET),
        settings.get(DELAY_MIN));
  }
}
