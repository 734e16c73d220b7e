/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.Settings;
import io.penstock.core.recent.Once;
import io.penstock.core.stack.StoreStack;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, once for each setting, about settings of S3A and EMRFS that the user made and that have no
 * effect.
 */
final class Ineffective {
  private static final Logger LOG = LoggerFactory.getLogger(Ineffective.class);

  private Ineffective() {}

  static void warnOnce(Settings settings, ClassLoader loader, Once warnings) {
    List<String> fresh =
        StoreStack.withoutEffect(settings, loader).stream().filter(warnings::isNew).toList();
    if (!fresh.isEmpty()) {
      LOG.warn(
          "settings that have no effect on Penstock: {}. docs/configuration.md lists those it reads.",
          String.join(", ", fresh));
    }
  }
}
