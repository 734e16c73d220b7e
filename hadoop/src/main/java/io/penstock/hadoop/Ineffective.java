/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.Settings;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.recent.Once;
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

  static void warnOnce(Settings settings, ClassLoader loader, Once warnings) {
    List<String> fresh =
        StoreStack.withoutEffect(settings, loader).stream().filter(warnings::isNew).toList();
    if (!fresh.isEmpty()) {
      LOG.warn(
          "settings that have no effect on Penstock: {}. docs/configuration.md lists those it reads.",
          String.join(", ", fresh));
    }
    RateConfig.switchesOfEmrfs(settings).stream()
        .filter(warnings::isNew)
        .forEach(
            name ->
                LOG.info(
                    "{}=true: Penstock's own rate control is on, as it always is. For EMRFS's AIMD,"
                        + " which is slower, set penstock.rate.policy=aimd; only then other settings"
                        + " fs.s3.aimd.* have an effect.",
                    name));
  }
}
