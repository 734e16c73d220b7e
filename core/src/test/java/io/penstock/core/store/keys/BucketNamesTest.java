/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketNamesTest {
  /** The second one is what stands before the first slash if there is one in the secret. */
  @ParameterizedTest
  @ValueSource(strings = {"AKIA:S3CRET@lake", "AKIA:S3CRET", "S3CRET@lake", "S3CRET.example.org:1"})
  void whatMayHoldASecretIsRefusedAndNotRepeated(String bucket) {
    assertThatThrownBy(() -> BucketNames.checked(bucket))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("penstock.secret.key")
        .hasMessageNotContaining("S3CRET");
    assertThat(BucketNames.shown("s3:/AKIA:S3CRET@lake/x")).doesNotContain("S3CRET");
  }

  @Test
  void anArnIsToldWhereItBelongs() {
    assertThatThrownBy(() -> BucketNames.checked("arn:aws:s3:eu-west-1:123456789012:accesspoint"))
        .hasMessageContaining("penstock.bucket.NAME.access.point");
  }

  @Test
  void otherNamesAreAsTheyAre() {
    assertThat(BucketNames.checked("My_bucket.2")).isEqualTo("My_bucket.2");
    assertThat(BucketNames.shown("s3:/lake/x")).isEqualTo("s3:/lake/x");
  }
}
