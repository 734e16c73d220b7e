/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NativeReadersTest {
  private static String said(String plugin, String... more) {
    Map<String, String> settings = new HashMap<>(Map.of("spark.plugins", "a.B," + plugin));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return NativeReaders.description(name -> Optional.ofNullable(settings.get(name))).orElse("");
  }

  @Test
  void itIsSaidWhoReads() {
    assertThat(said("org.apache.gluten.GlutenPlugin"))
        .startsWith("Gluten reads S3 with its own client");
    assertThat(said("org.apache.spark.CometPlugin"))
        .startsWith("Comet reads S3 with its own client")
        .contains("spark.hadoop.fs.comet.libhdfs.schemes=s3,s3a");
    assertThat(said("org.apache.spark.CometPlugin", "fs.comet.libhdfs.schemes", "s3,s3a"))
        .startsWith("Comet reads through Penstock");
    assertThat(said("com.nvidia.spark.SQLPlugin")).startsWith("RAPIDS reads through Penstock");
    assertThat(said("com.nvidia.spark.SQLPlugin", "spark.rapids.perfio.s3.enabled", "true"))
        .startsWith("RAPIDS reads S3 with its own client")
        .contains("spark.rapids.perfio.s3.enabled=false");
    assertThat(said("com.acme.Plugin")).isEmpty();
  }
}
