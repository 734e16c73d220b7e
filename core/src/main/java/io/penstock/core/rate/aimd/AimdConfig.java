/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.aimd;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.rate.report.Traffic;
import java.util.List;

/**
 * The settings of the policy {@code aimd}, with the names that EMRFS gives them.
 *
 * @param initialRate of reads, per second and process; writes start at 3,500/5,500 of it
 * @param minRate requests a second that the rate never falls below
 * @param increaseIncrement requests a second that are added after a window without a throttled
 *     answer
 * @param reductionFactor divides the rate after a window with a throttled answer; more than 1
 * @param adjustWindow number of answers between changes of the rate
 */
public record AimdConfig(
    double initialRate,
    double minRate,
    double increaseIncrement,
    double reductionFactor,
    int adjustWindow) {
  static final ConfigKey<Double> INITIAL_RATE =
      positive("rate.aimd.initial.rate", "5500", "initialRate")
          .doc(
              "Policy aimd: number of reads per second at the start. Writes start at 3500/5500 of"
                  + " that rate.");

  static final ConfigKey<Double> MIN_RATE =
      positive("rate.aimd.min.rate", "0.1", "minRate")
          .doc("Policy aimd: the rate never falls below this many requests per second.");

  static final ConfigKey<Double> INCREASE_INCREMENT =
      positive("rate.aimd.increase.increment", "0.1", "increaseIncrement")
          .doc(
              "Policy aimd: this many requests per second are added to the rate after a window"
                  + " without a throttled answer.");

  static final ConfigKey<Double> REDUCTION_FACTOR =
      positive("rate.aimd.reduction.factor", "2", "reductionFactor")
          .mustBe("more than 1", factor -> factor > 1)
          .doc(
              "Policy aimd: the rate is divided by this number after a window with a throttled"
                  + " answer.");

  static final ConfigKey<Integer> ADJUST_WINDOW =
      ConfigKey.count("rate.aimd.adjust.window")
          .defaultsTo("2")
          .readsOnly("fs.s3.aimd.adjustWindow", "fs.s3a.aimd.adjustWindow")
          .doc("Policy aimd: number of answers in a window; the rate changes after each window.");

  public static final List<ConfigKey<?>> KEYS =
      List.of(INITIAL_RATE, MIN_RATE, INCREASE_INCREMENT, REDUCTION_FACTOR, ADJUST_WINDOW);

  /**
   * EMRFS's switch, which AWS advises to set. It does not choose the policy: here it means that the
   * rate is controlled, which it is by default.
   */
  public static final List<String> SWITCHES = List.of("fs.s3.aimd.enabled", "fs.s3a.aimd.enabled");

  /** From S3's documented limits of a partition: 3,500 writes and 5,500 reads a second. */
  private static final double WRITES_PER_READ = 3_500.0 / 5_500;

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static AimdConfig from(Settings settings) {
    return new AimdConfig(
        settings.get(INITIAL_RATE),
        settings.get(MIN_RATE),
        settings.get(INCREASE_INCREMENT),
        settings.get(REDUCTION_FACTOR),
        settings.get(ADJUST_WINDOW));
  }

  double initialRate(Traffic traffic) {
    return traffic == Traffic.READ ? initialRate : initialRate * WRITES_PER_READ;
  }

  private static ConfigKey<Double> positive(String name, String value, String emrfs) {
    return ConfigKey.number(name)
        .defaultsTo(value)
        .mustBe("more than 0", number -> number > 0)
        .readsOnly("fs.s3.aimd." + emrfs, "fs.s3a.aimd." + emrfs);
  }
}
