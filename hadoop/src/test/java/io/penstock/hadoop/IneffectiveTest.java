/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IneffectiveTest {
  private static List<String> names(Map<String, String> set) {
    return StoreStack.withoutEffect(Settings.of(set), IneffectiveTest.class.getClassLoader());
  }

  @Test
  void whatTheUserSetInVainIsNamed() {
    assertThat(
            names(
                Map.of(
                    "fs.s3a.connection.ttl", "1m",
                    "fs.s3a.vectored.read.min.seek.size", "4K",
                    "fs.s3a.endpoint", "http://127.0.0.1:1")))
        .containsExactly("fs.s3a.connection.ttl", "fs.s3a.vectored.read.min.seek.size");
  }

  @Test
  void whatSparkSetsIsNotNamed() {
    assertThat(
            names(
                Map.of(
                    "fs.s3a.vectored.read.min.seek.size", "128K",
                    "fs.s3a.vectored.read.max.merged.size", "2M",
                    "fs.s3a.downgrade.syncable.exceptions", "true")))
        .isEmpty();
  }

  @Test
  void whatUnityCatalogSetsIsNotNamed() {
    assertThat(
            names(
                Map.of(
                    "fs.s3.impl.original", "io.penstock.hadoop.PenstockFileSystem",
                    "fs.s3.impl.disable.cache", "true",
                    "fs.s3a.init.access.key", "vended",
                    "fs.s3a.init.credential.expired.time", "1")))
        .isEmpty();
  }

  @Test
  void theSwitchOfEmrfsIsNotCalledIneffective() {
    assertThat(names(Map.of("fs.s3.aimd.enabled", "true", "fs.s3.aimd.maxAttempts", "9")))
        .isEmpty();
  }
}
