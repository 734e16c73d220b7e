/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Reach;
import io.penstock.hadoop.HadoopSettings;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class NativeEnginesTest {
  private static final String GLUTEN = "org.apache.gluten.GlutenPlugin";
  private final Configuration hadoop = new Configuration(false);

  /** A store at an address, as the settings of these tests describe it. */
  private record Place(boolean isAws) implements Reach {
    @Override
    public URI bucketUrl() {
      return URI.create("http://127.0.0.1:9000/bucket");
    }

    @Override
    public boolean isPathStyle() {
      return true;
    }

    @Override
    public Optional<String> region() {
      return Optional.empty();
    }

    @Override
    public String firstRegion() {
      return "us-east-1";
    }

    @Override
    public Identity identity() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void whatPenstockFindsOutOfAnEndpointIsSaidInS3asWords() {
    hadoop.set("penstock.endpoint", "http://127.0.0.1:9000");

    assertThat(settings(GLUTEN, new Place(false)))
        .isEqualTo(
            Map.of(
                "fs.s3a.endpoint", "http://127.0.0.1:9000",
                "fs.s3a.endpoint.region", "us-east-1",
                "fs.s3a.path.style.access", "true",
                "fs.s3a.connection.ssl.enabled", "false"));
  }

  @Test
  void onAwsTheEngineFindsOutByItself() {
    hadoop.set("penstock.region", "eu-north-1");

    assertThat(settings(GLUTEN, new Place(true)))
        .isEqualTo(Map.of("fs.s3a.endpoint.region", "eu-north-1"));
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

  private Map<String, String> settings(String plugins, Reach reach) {
    return NativeEngines.settings(plugins, hadoop, HadoopSettings.of(hadoop), Optional.of(reach));
  }
}
