/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.util.List;

/**
 * The settings of listings.
 *
 * @param pagesMax most pages of one listing to request at once; 1 to 64
 */
public record ListConfig(int pagesMax) {
  static final ConfigKey<Integer> PAGES_MAX =
      ConfigKey.count("list.pages.max")
          .defaultsTo("16")
          .mustBe("1 to 64", n -> n >= 1 && n <= 64)
          .doc(
              "How many pages of a long recursive listing are requested at once, at most. Long"
                  + " means more than 4,000 keys on Amazon S3, and more than 10,000 keys in several"
                  + " directories on other stores.");

  public static final List<ConfigKey<?>> KEYS = List.of(PAGES_MAX);

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static ListConfig from(Settings settings) {
    return new ListConfig(settings.get(PAGES_MAX));
  }
}
