/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint.mount;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.KeySource;
import java.time.Duration;
import java.util.List;

/** The settings of checkpoints on mounted filesystems. */
public final class MountKeys implements KeySource {
  static final ConfigKey<Duration> WAIT =
      ConfigKey.duration("checkpoint.mount.wait")
          .defaultsTo("20s")
          .doc(
              "How long a starting query waits until executors confirm that they see its"
                  + " checkpoint on a mounted filesystem and can write there; 0s skips this"
                  + " check.");

  @Override
  public List<ConfigKey<?>> keys() {
    return List.of(WAIT);
  }
}
