/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.hadoop.HadoopSettings;
import io.penstock.spark.wiring.NativeEngines.Repeated;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class NativeEnginesTest {
  private static final String GLUTEN = "org.apache.gluten.GlutenPlugin";
  private final Configuration hadoop = new Configuration(false);

  @Test
  void whatTheUserSetIsSaidInS3asWords() {
    hadoop.set("penstock.endpoint", "http://127.0.0.1:9000");
    hadoop.set("penstock.region", "eu-north-1");
    hadoop.set("fs.s3.awsAccessKeyId", "key-id");

    assertThat(NativeEngines.settings(GLUTEN, hadoop, HadoopSettings.of(hadoop)))
        .containsExactlyInAnyOrder(
            new Repeated("fs.s3a.endpoint", "http://127.0.0.1:9000", "penstock.endpoint"),
            new Repeated("fs.s3a.endpoint.region", "eu-north-1", "penstock.region"),
            new Repeated("fs.s3a.access.key", "key-id", "fs.s3.awsAccessKeyId"));
  }

  @Test
  void theLogSaysWhoReads() {
    String comet = "org.apache.spark.CometPlugin";
    assertThat(NativeEngines.description(GLUTEN, hadoop).orElseThrow())
        .startsWith("Gluten reads S3 with its own client");
    assertThat(NativeEngines.description(comet, hadoop).orElseThrow())
        .startsWith("Comet reads S3 with its own client");
    hadoop.set("fs.comet.libhdfs.schemes", "s3,s3a");
    assertThat(NativeEngines.description(comet, hadoop).orElseThrow())
        .startsWith("Comet reads through Penstock");
    assertThat(NativeEngines.description("com.acme.Plugin", hadoop)).isEmpty();
  }
}
