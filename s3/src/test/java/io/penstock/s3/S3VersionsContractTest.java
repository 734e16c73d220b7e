/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.VersionsContract;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On the embedded server, or on the real one that the system properties name. */
class S3VersionsContractTest extends VersionsContract {
  private static EmbeddedS3 embedded;
  private static String bucket;
  private static Map<String, String> settings;

  @BeforeAll
  static void openTheServer() throws Exception {
    if (RealStore.named().isPresent()) {
      use(RealStore.named().get());
      return;
    }
    embedded = EmbeddedS3.builder().start();
    use(new RealStore(embedded.endpoint(), "us-east-1", "any", "any-secret", "lake"));
  }

  private static void use(RealStore server) {
    RealStore kept = server.withVersions();
    bucket = kept.bucket();
    settings = kept.settings();
  }

  @AfterAll
  static void closeTheServer() {
    if (embedded != null) {
      embedded.close();
    }
  }

  @Override
  @Test
  protected void aVersionOfAKeyThatXmlCannotCarryGoesToo() throws IOException {
    assumeThat(System.getProperty("penstock.test.server", "embedded"))
        .as("lists the versions of another name")
        .isNotEqualTo("versitygw");
    super.aVersionOfAKeyThatXmlCannotCarryGoesToo();
  }

  @Override
  protected ObjectStore openStore() {
    return TestStores.open(bucket, Settings.of(settings));
  }
}
