/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.spark.PenstockCommitProtocol;
import io.penstock.spark.wiring.NativeEngines.Repeated;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class NativeEnginesTest {
  private static final String GLUTEN = "org.apache.gluten.GlutenPlugin";
  private final SparkConf spark = new SparkConf(false);
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
  void cometsOwnClientKnowsTheStore() {
    spark.set("spark.plugins", "io.penstock.spark.PenstockPlugin,org.apache.spark.CometPlugin");
    hadoop.set("penstock.endpoint", "http://127.0.0.1:9000");
    hadoop.set("fs.s3.awsAccessKeyId", "key-id");
    hadoop.set("penstock.bucket.my.lake.endpoint", "http://127.0.0.1:9001");
    hadoop.set("fs.s3a.path.style.access", "false"); // the user's own

    apply();

    assertThat(hadoop.get("fs.s3a.endpoint")).isEqualTo("http://127.0.0.1:9000");
    assertThat(hadoop.get("fs.s3a.access.key")).isEqualTo("key-id");
    assertThat(hadoop.get("fs.s3a.bucket.my.lake.endpoint")).isEqualTo("http://127.0.0.1:9001");
    assertThat(hadoop.get("fs.s3a.path.style.access")).isEqualTo("false");
  }

  /** Penstock reads S3A's names as well, so what is repeated there must change nothing for it. */
  @Test
  void whatIsRepeatedForANativeEngineDoesNotChangeWhatPenstockReads() {
    spark.set("spark.plugins", "org.apache.spark.CometPlugin");
    hadoop.set("penstock.endpoint", "http://127.0.0.1:9000");
    hadoop.set("penstock.bucket.b.endpoint", "s3.example.com");
    hadoop.set("penstock.bucket.c.region", "eu-west-1");
    hadoop.set("penstock.access.key", "key-id");
    hadoop.set("penstock.secret.key", "hidden");
    Settings before = HadoopSettings.of(hadoop);

    apply();

    Settings after = HadoopSettings.of(hadoop);
    for (String bucket : List.of("a", "b", "c")) {
      for (ConfigKey<?> key : StoreStack.keys(NativeEnginesTest.class.getClassLoader())) {
        assertThat(after.forBucket(bucket).get(key))
            .as("%s of %s", key.fullName(), bucket)
            .isEqualTo(before.forBucket(bucket).get(key));
        assertThat(after.forBucket(bucket).sourceOf(key).isPresent())
            .isEqualTo(before.forBucket(bucket).sourceOf(key).isPresent());
      }
    }
    assertThat(spark.contains("spark.hadoop.fs.s3a.secret.key"))
        .as("a key of core-site.xml gets into Spark's configuration")
        .isFalse();
  }

  @Test
  void withoutANativeEngineNothingIsRepeatedUnderS3asNames() {
    hadoop.set("penstock.endpoint", "http://127.0.0.1:9000");

    apply();

    assertThat(hadoop.get("fs.s3a.endpoint")).isNull();
  }

  private void apply() {
    new Wiring(spark, hadoop, "4.1.3", PenstockCommitProtocol.class).apply();
  }
}
