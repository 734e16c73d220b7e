/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Reach;
import io.penstock.core.store.Reach.Identity;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class S3ReachTest {
  private static Reach reach(String bucket, String... settings) {
    Map<String, String> values = new HashMap<>(Map.of("penstock.region", "eu-central-1"));
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      values.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return new S3Reach(bucket, S3Options.from(bucket, Settings.of(values), name -> null));
  }

  @ParameterizedTest
  @CsvSource({
    "lake, penstock.tls=true, https://lake.s3.eu-central-1.amazonaws.com/, false, true",
    "my.lake, penstock.tls=true, https://s3.eu-central-1.amazonaws.com/my.lake, true, true",
    "lake, penstock.region=cn-north-1, https://lake.s3.cn-north-1.amazonaws.com.cn/, false, true",
    "lake, penstock.endpoint=http://minio:9000, http://minio:9000/lake, true, false",
    "lake, penstock.endpoint=https://s3.store.example, https://lake.s3.store.example/, false,"
        + " false",
    "lake, penstock.endpoint=http://[::1]:9000/s3, http://[::1]:9000/s3/lake, true, false",
  })
  void requestsGoWhereTheSdkSendsThem(
      String bucket, String setting, String url, boolean isPathStyle, boolean isAws) {
    Reach reach = reach(bucket, setting);
    assertThat(reach.bucketUrl()).hasToString(url);
    assertThat(reach.isPathStyle()).isEqualTo(isPathStyle);
    assertThat(reach.isAws()).isEqualTo(isAws);
  }

  @Test
  void credentialsAreNamedByTheirSourceAndNotShown() throws IOException {
    Identity keys =
        reach("lake", "penstock.access.key=hunter2", "penstock.secret.key=hunter3").identity();
    assertThat(keys.source()).isEqualTo("penstock.access.key, penstock.secret.key");
    assertThat(keys.toString()).doesNotContain("hunter");
    assertThat(keys.expires()).isEmpty();
    assertThat(reach("lake", "penstock.credentials=anonymous").identity().isAnonymous()).isTrue();
  }

  @Test
  void noCredentialsSayWhereWasLooked() {
    assertThatThrownBy(() -> reach("lake", "penstock.profile=no-such-profile-here").identity())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no credentials from the profile no-such-profile-here");
  }
}
