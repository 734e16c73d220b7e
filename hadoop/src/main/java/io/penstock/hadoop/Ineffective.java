/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.MeantName;
import io.penstock.core.config.Settings;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.stack.StoreStack;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells, once for each setting, of settings of S3A and EMRFS that the user made and that have no
 * effect, or another one than there.
 */
final class Ineffective {
  private static final Logger LOG = LoggerFactory.getLogger(Ineffective.class);

  private Ineffective() {}

  static void warnOnce(Settings settings, ClassLoader loader, LogOnce warnings) {
    List<String> fresh =
        StoreStack.withoutEffect(settings, loader).stream().filter(warnings::isNew).toList();
    if (!fresh.isEmpty()) {
      List<String> read =
          StoreStack.keys(loader).stream().flatMap(key -> key.aliases().stream()).toList();
      LOG.warn(
          "these settings have no effect on Penstock: {}. docs/configuration.md lists the settings"
              + " that it reads.",
          String.join(", ", fresh.stream().map(name -> shown(name, read)).toList()));
    }
    RateConfig.switchesOfEmrfs(settings).stream()
        .filter(warnings::isNew)
        .forEach(
            name ->
                LOG.info(
                    "{}=true has no further effect, because Penstock's own rate control is on by"
                        + " default. For EMRFS's AIMD, which is slower, set"
                        + " penstock.rate.policy=aimd.",
                    name));
  }

  private static String shown(String name, List<String> read) {
    return MeantName.of(name, read)
        .map(meant -> name + " (did you mean " + meant + "?)")
        .orElse(name);
  }
}
