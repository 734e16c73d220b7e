/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Opens file systems with a configuration in which nobody has set anything. */
class ApplicationSettingsTest {
  private final Engine engine = new Engine(SystemTime.INSTANCE, new SplittableRandom(1));

  @Test
  void aBareConfigurationGetsTheApplicationsSettings() throws IOException {
    engine.applicationSettings(
        Optional.of(Settings.of(Map.of("penstock.endpoint", "http://127.0.0.1:1"))));
    Configuration bare = new Configuration();
    bare.set("fs.s3.impl", PenstockFileSystem.class.getName());

    assertThat(endpoint(bare)).isEqualTo("http://127.0.0.1:1");
  }

  @Test
  void aConfigurationWithSettingsIsUsedAsItIs() throws IOException {
    engine.applicationSettings(
        Optional.of(Settings.of(Map.of("penstock.endpoint", "http://127.0.0.1:1"))));
    Configuration own = new Configuration();
    own.set("fs.s3a.endpoint", "http://127.0.0.1:2");

    assertThat(endpoint(own)).isEqualTo("http://127.0.0.1:2");
  }

  @Test
  void withoutAnApplicationNothingIsAdded() throws IOException {
    engine.applicationSettings(
        Optional.of(Settings.of(Map.of("penstock.endpoint", "http://127.0.0.1:1"))));
    engine.applicationSettings(Optional.empty());

    assertThat(endpoint(new Configuration())).doesNotContain("127.0.0.1");
  }

  private String endpoint(Configuration conf) throws IOException {
    try (PenstockFileSystem fs = new PenstockFileSystem(engine)) {
      fs.initialize(URI.create("s3://lake/"), conf);
      return fs.store().endpoint();
    }
  }
}
