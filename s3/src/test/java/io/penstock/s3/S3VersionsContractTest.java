/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.VersionsContract;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the embedded server, or on the real one that the system properties name. */
class S3VersionsContractTest extends VersionsContract {
  private static EmbeddedS3 embedded;
  private static String bucket = "lake";
  private static Map<String, String> settings;

  @BeforeAll
  static void openTheServer() throws Exception {
    if (RealStore.named().isPresent()) {
      RealStore real = RealStore.named().get().withVersions();
      bucket = real.bucket();
      settings = real.settings();
      return;
    }
    InMemoryStore kept = new InMemoryStore(bucket, SystemTime.INSTANCE);
    kept.keepVersions();
    embedded = EmbeddedS3.builder().stores(name -> kept).bucket(bucket).start();
    settings =
        Map.of(
            "penstock.endpoint", embedded.endpoint().toString(),
            "penstock.access.key", "any",
            "penstock.secret.key", "any-secret");
  }

  @AfterAll
  static void closeTheServer() {
    if (embedded != null) {
      embedded.close();
    }
  }

  @Override
  protected ObjectStore openStore() {
    return TestStores.open(bucket, Settings.of(settings));
  }
}
