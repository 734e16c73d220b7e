/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The settings for giving up attempts.
 *
 * @param max the longest deadline of an attempt without content; each MiB of content adds a second,
 *     and deadlines that are missed too often are stretched beyond it
 * @param stall how long content that has begun to move may stand still
 */
public record DeadlineConfig(boolean enabled, Duration max, Duration stall) {
  static final ConfigKey<Boolean> ENABLED =
      ConfigKey.bool("deadline.enabled")
          .defaultsTo("true")
          .doc("Cut and repeat attempts that take far longer than others of their kind.");

  static final ConfigKey<Duration> MAX =
      ConfigKey.duration("deadline.max")
          .defaultsTo("10s")
          .mustBe("at least 1s", d -> d.compareTo(Duration.ofSeconds(1)) >= 0)
          .doc(
              "The deadline of an attempt is at most this long, plus one second per MiB of content."
                  + " It grows further only if two attempts of a kind in a row, or more than 1 %"
                  + " of them, are cut.");

  static final ConfigKey<Duration> STALL =
      ConfigKey.duration("deadline.stall")
          .defaultsTo("10s")
          .mustBe("at least 1s", d -> d.compareTo(Duration.ofSeconds(1)) >= 0)
          .doc(
              "Cut an attempt when its content has begun to move and then stands still for this"
                  + " long.");

  public static final List<ConfigKey<?>> KEYS = List.of(ENABLED, MAX, STALL);

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static DeadlineConfig from(Settings settings) {
    return new DeadlineConfig(settings.get(ENABLED), settings.get(MAX), settings.get(STALL));
  }
}
