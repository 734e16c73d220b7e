/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.time.Duration;
import java.util.List;

/** The settings for giving up attempts. */
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
              "Longest deadline of an attempt, plus one second per MiB of its content. The"
                  + " deadline grows beyond that only if two attempts of a kind in a row, or more"
                  + " than one in a hundred of them, are cut.");

  static final ConfigKey<Duration> STALL =
      ConfigKey.duration("deadline.stall")
          .defaultsTo("10s")
          .mustBe("at least 1s", d -> d.compareTo(Duration.ofSeconds(1)) >= 0)
          .doc(
              "Cut an attempt when its content has begun to move and then stands still for this"
                  + " long.");

  public static final List<ConfigKey<?>> KEYS = List.of(ENABLED, MAX, STALL);

  public static DeadlineConfig from(Settings settings) {
    return new DeadlineConfig(settings.get(ENABLED), settings.get(MAX), settings.get(STALL));
  }
}
